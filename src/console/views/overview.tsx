import { useMemo, useState } from 'preact/hooks'
import type { Due, Workgroup, Workspace } from '../api/types'
import type { SandboxModel } from '../model/sandbox'
import { useApp } from '../parts/app-context'
import { State } from '../parts/state'
import { useMedia, useTick } from '../parts/use'
import { VirtualList } from '../parts/virtual-list'
import { NewWorkgroup, NewWorkspace } from './create'
import { Ending, endsOf, LABELS } from './ending'
import { WorkspacePanel } from './workspace-panel'

type Row =
  | { readonly kind: 'group'; readonly group: Workgroup; readonly count: number }
  | { readonly kind: 'workspace'; readonly workspace: Workspace }

/** Lists the workgroups and their workspaces. */
export function OverviewView({ part }: { part: string | undefined }) {
  const { model } = useApp()
  const [filter, setFilter] = useState('')
  const [isCreating, setCreating] = useState(false)
  const isNarrow = useMedia('(max-width: 760px)')
  const rows = useMemo(() => rowsOf(model, filter), [model.version, filter])
  const ends = useMemo(() => endsOf(model.events), [model.events])
  const isMoving = model.clock?.mode === 'real' && ends.size > 0
  useTick(500, isMoving)
  const counts = useMemo(() => countStates(model), [model.version])
  const chosen = part === undefined ? undefined : model.workspaces.get(part)
  return (
    <div class={chosen === undefined ? 'split' : 'split open'}>
      <section class="pane" aria-label="Workspaces">
        <div class="bar">
          <input
            type="search"
            placeholder="Filter by name, id, state…"
            aria-label="Filter the workspaces"
            value={filter}
            onInput={({ currentTarget }) => {
              setFilter(currentTarget.value)
            }}
          />
          <ul class="counts" aria-label="Workspaces by state">
            {counts.map(([state, count]) => (
              <li key={state}>
                <State name={state} /> {count}
              </li>
            ))}
          </ul>
          <button
            type="button"
            onClick={() => {
              setCreating(true)
            }}
          >
            New workgroup
          </button>
        </div>
        {model.workgroups.size === 0 ? (
          <p class="quiet empty">
            This sandbox is empty. Make a workgroup here, call the interface with its key, or import a document in{' '}
            <a href="#/state">State</a>.
          </p>
        ) : (
          <VirtualList
            items={rows}
            rowHeight={isNarrow ? 58 : 34}
            label="Workgroups and workspaces"
            class="grid"
            keyOf={(row) => (row.kind === 'group' ? `group ${row.group.workgroup_id}` : row.workspace.workspace_id)}
            head={isNarrow ? undefined : <Head />}
            row={(row, index) =>
              row.kind === 'group' ? (
                <GroupRow group={row.group} count={row.count} index={index} />
              ) : (
                <WorkspaceRow
                  workspace={row.workspace}
                  end={ends.get(row.workspace.workspace_id)}
                  index={index}
                  isChosen={row.workspace === chosen}
                />
              )
            }
          />
        )}
      </section>
      {chosen === undefined ? null : <WorkspacePanel key={chosen.workspace_id} workspace={chosen} />}
      {isCreating ? (
        <NewWorkgroup
          onClose={() => {
            setCreating(false)
          }}
        />
      ) : null}
    </div>
  )
}

function rowsOf(model: SandboxModel, filter: string): Row[] {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const isWanted = (workspace: Workspace, group: Workgroup) => {
    const text = (
      `${workspace.name} ${workspace.workspace_id} ${workspace.status} ${workspace.workspace_type_name} ` + group.name
    ).toLowerCase()
    return words.every((word) => text.includes(word))
  }
  return model.groups().flatMap(({ workgroup, workspaces }): Row[] => {
    const wanted = words.length === 0 ? workspaces : workspaces.filter((workspace) => isWanted(workspace, workgroup))
    if (wanted.length === 0 && words.length > 0) return []
    return [
      { kind: 'group', group: workgroup, count: wanted.length },
      ...wanted.map((workspace): Row => ({ kind: 'workspace', workspace }))
    ]
  })
}

function countStates(model: SandboxModel): [string, number][] {
  const counts = new Map<string, number>()
  for (const { status } of model.workspaces.values()) counts.set(status, (counts.get(status) ?? 0) + 1)
  return [...counts].sort(([a], [b]) => a.localeCompare(b))
}

function Head() {
  return (
    <div class="row head" role="row" aria-rowindex={1}>
      {['Name', 'State', 'Size', 'Access', 'Database', 'Host', 'Actions'].map((name) => (
        <span key={name} role="columnheader">
          {name}
        </span>
      ))}
    </div>
  )
}

function GroupRow({ group, count, index }: { group: Workgroup; count: number; index: number }) {
  const [isCreating, setCreating] = useState(false)
  return (
    <div class="row group" role="row" aria-rowindex={index + 2}>
      <span class="group-name" role="cell" aria-colspan={6}>
        <strong>{group.name}</strong>{' '}
        <span class="quiet">
          {group.platform} {group.region} · {count} {count === 1 ? 'workspace' : 'workspaces'}
        </span>
      </span>
      <span class="actions" role="cell">
        <button
          type="button"
          aria-label={`New workspace in ${group.name}`}
          onClick={() => {
            setCreating(true)
          }}
        >
          New workspace
        </button>
      </span>
      {isCreating ? (
        <NewWorkspace
          group={group}
          onClose={() => {
            setCreating(false)
          }}
        />
      ) : null}
    </div>
  )
}

function WorkspaceRow({
  workspace,
  end,
  index,
  isChosen
}: {
  workspace: Workspace
  end: Due | undefined
  index: number
  isChosen: boolean
}) {
  const { model } = useApp()
  const { workspace_id: id, name, database_id: database, is_rw: isRw, host } = workspace
  return (
    <div class={isChosen ? 'row chosen' : 'row'} role="row" aria-rowindex={index + 2} data-workspace={id}>
      <span class="name" role="cell">
        <a href={`#/overview/${encodeURIComponent(id)}`} title={id}>
          {name}
        </a>
      </span>
      <span class="status-cell" role="cell">
        <State name={workspace.status} />
        <Ending workspace={workspace} end={end} />
      </span>
      <span class="size" role="cell">
        {workspace.workspace_type_name}
      </span>
      <span class="access" role="cell">
        {isRw ? 'read-write' : 'read-only'}
      </span>
      <span class="database" role="cell" title={database}>
        {model.databases.get(database)?.name ?? database}
      </span>
      <span class="host" role="cell" title={host}>
        {host}
      </span>
      <span class="actions" role="cell">
        <RowActions workspace={workspace} />
      </span>
    </div>
  )
}

function RowActions({ workspace }: { workspace: Workspace }) {
  const { model, attempt } = useApp()
  const actions = (['pause', 'resume', 'refresh', 'backup'] as const).filter(
    (action) => model.canBe(action, workspace) && (action !== 'backup' || workspace.is_rw)
  )
  return (
    <>
      {actions.map((action) => (
        <button
          key={action}
          type="button"
          aria-label={`${LABELS[action]} ${workspace.name}`}
          onClick={() => void attempt(() => model.act(action, workspace))}
        >
          {LABELS[action]}
        </button>
      ))}
    </>
  )
}
