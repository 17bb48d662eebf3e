import { useMemo, useState } from 'preact/hooks'
import type { Due, Workgroup, Workspace } from '../api/types'
import { linkTo } from '../model/route'
import type { SandboxModel } from '../model/sandbox'
import { toggled } from '../model/toggled'
import { useApp } from '../parts/app-context'
import { Guard } from '../parts/guard'
import { Menu } from '../parts/menu'
import { NoMatch } from '../parts/no-match'
import { Only } from '../parts/only'
import { State } from '../parts/state'
import { useMedia, useTick } from '../parts/use'
import { VirtualList } from '../parts/virtual-list'
import { NewWorkgroup, NewWorkspace } from './create'
import { EmptySandbox } from './empty-sandbox'
import { Ending, endsOf, LABELS } from './ending'
import { PredatesSeed } from './predates-seed'
import { StateFilter } from './state-filter'
import { WorkspacePanel } from './workspace-panel'

type Row =
  | { readonly kind: 'group'; readonly group: Workgroup; readonly count: number; readonly isOpen: boolean }
  | { readonly kind: 'workspace'; readonly workspace: Workspace; readonly group: Workgroup }

/** Limits the list. Everything that is given must be met. */
interface Filter {
  readonly text: string
  /** States; any if empty. */
  readonly states: ReadonlySet<string>
  /** Id of a workgroup. */
  readonly of: string | undefined
}

/** Lists the workgroups and their workspaces. */
export function OverviewView({ part, of }: { part: string | undefined; of: string | undefined }) {
  const { model } = useApp()
  const [text, setText] = useState('')
  const [states, setStates] = useState<ReadonlySet<string>>(new Set())
  const [isCreating, setCreating] = useState(false)
  const isNarrow = useMedia('(max-width: 760px)')
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const rows = useMemo(() => rowsOf(model, { text, states, of }, folded), [model.version, text, states, of, folded])
  const ends = useMemo(() => endsOf(model.events), [model.events])
  const isMoving = model.clock?.mode === 'real' && ends.size > 0
  useTick(500, isMoving)
  const chosen = part === undefined ? undefined : model.workspaces.get(part)
  const clear = () => {
    setText('')
    setStates(new Set())
    location.hash = linkTo('overview', part)
  }
  return (
    <div class={chosen === undefined ? 'split' : 'split open'}>
      <section class="pane" aria-label="Workspaces">
        {model.predatesSeed ? <PredatesSeed /> : null}
        {part !== undefined && chosen === undefined ? (
          <p class="bar" role="note">
            The workspace <code>{part}</code> is not in this sandbox.
          </p>
        ) : null}
        <div class="bar">
          <input
            type="search"
            placeholder="Filter by name, id, state…"
            aria-label="Filter the workspaces"
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
          <StateFilter chosen={states} onChoose={setStates} />
          {of === undefined ? null : <Only view="overview" of={of} />}
          <Guard>
            <button type="button" onClick={() => setCreating(true)}>
              New workgroup
            </button>
          </Guard>
        </div>
        {model.workgroups.size === 0 ? (
          <EmptySandbox />
        ) : rows.length === 0 ? (
          <NoMatch items="workspaces" onClear={clear} />
        ) : (
          <VirtualList
            items={rows}
            rowHeight={isNarrow ? 58 : 34}
            label="Workgroups and workspaces"
            class="grid"
            keyOf={(row) => (row.kind === 'group' ? `group ${row.group.workgroup_id}` : row.workspace.workspace_id)}
            head={isNarrow ? undefined : <Head />}
            pinned={(first) => groupAbove(rows[first])?.name}
            row={(row, index) =>
              row.kind === 'group' ? (
                <GroupRow
                  group={row.group}
                  count={row.count}
                  isOpen={row.isOpen}
                  onFold={() => setFolded(toggled(folded, row.group.workgroup_id))}
                  index={index}
                />
              ) : (
                <WorkspaceRow
                  workspace={row.workspace}
                  end={ends.get(row.workspace.workspace_id)}
                  index={index}
                  isChosen={row.workspace === chosen}
                  of={of}
                />
              )
            }
          />
        )}
      </section>
      {chosen === undefined ? null : (
        <WorkspacePanel key={chosen.workspace_id} workspace={chosen} closeTo={linkTo('overview', undefined, of)} />
      )}
      {isCreating ? <NewWorkgroup onClose={() => setCreating(false)} /> : null}
    </div>
  )
}

/** @param folded ids of workgroups whose workspaces are not wanted, unless they are looked for */
function rowsOf(model: SandboxModel, { text, states, of }: Filter, folded: ReadonlySet<string>): Row[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const isFiltered = words.length > 0 || states.size > 0
  const isWanted = (workspace: Workspace, group: Workgroup) => {
    if (states.size > 0 && !states.has(workspace.status)) return false
    const all = (
      `${workspace.name} ${workspace.workspace_id} ${workspace.status} ${workspace.workspace_type_name} ` + group.name
    ).toLowerCase()
    return words.every((word) => all.includes(word))
  }
  return model.groups().flatMap(({ workgroup, workspaces }): Row[] => {
    if (of !== undefined && workgroup.workgroup_id !== of) return []
    const wanted = isFiltered ? workspaces.filter((workspace) => isWanted(workspace, workgroup)) : workspaces
    if (wanted.length === 0 && isFiltered) return []
    const isOpen = isFiltered || !folded.has(workgroup.workgroup_id)
    return [
      { kind: 'group', group: workgroup, count: wanted.length, isOpen },
      ...(isOpen ? wanted : []).map((workspace): Row => ({ kind: 'workspace', workspace, group: workgroup }))
    ]
  })
}

/** The workgroup of a row, if its own row is above. */
const groupAbove = (row: Row | undefined) => (row?.kind === 'workspace' ? row.group : undefined)

const COLUMNS = ['Name', 'State', 'Size', 'Access', 'Database', 'Host']

function Head() {
  const { model } = useApp()
  return (
    <div class="row head" role="row" aria-rowindex={1}>
      {[...COLUMNS, ...(model.isPast ? [] : ['Actions'])].map((name) => (
        <span key={name} role="columnheader">
          {name}
        </span>
      ))}
    </div>
  )
}

function GroupRow({
  group,
  count,
  isOpen,
  onFold,
  index
}: {
  group: Workgroup
  count: number
  isOpen: boolean
  onFold: () => void
  index: number
}) {
  const [isCreating, setCreating] = useState(false)
  return (
    <div class="row group" role="row" aria-rowindex={index + 2}>
      <span class="group-name" role="cell" aria-colspan={6}>
        <button
          type="button"
          class="fold"
          aria-expanded={isOpen}
          aria-label={`Workspaces of ${group.name}`}
          onClick={onFold}
        >
          {isOpen ? '▾' : '▸'}
        </button>{' '}
        <strong>{group.name}</strong>{' '}
        <span class="quiet">
          {group.platform} {group.region} · {count} {count === 1 ? 'workspace' : 'workspaces'}
        </span>
      </span>
      <span class="actions" role="cell">
        <a
          class="button"
          href={linkTo('requests', undefined, group.workgroup_id)}
          aria-label={`Requests of ${group.name}`}
        >
          Requests
        </a>
        <Guard>
          <button type="button" aria-label={`New workspace in ${group.name}`} onClick={() => setCreating(true)}>
            New workspace
          </button>
        </Guard>
      </span>
      {isCreating ? <NewWorkspace group={group} onClose={() => setCreating(false)} /> : null}
    </div>
  )
}

function WorkspaceRow({
  workspace,
  end,
  index,
  isChosen,
  of
}: {
  workspace: Workspace
  end: Due | undefined
  index: number
  isChosen: boolean
  of: string | undefined
}) {
  const { model, past } = useApp()
  const { workspace_id: id, name, database_id: database, is_rw: isRw, host } = workspace
  return (
    <div
      class={`row ${isChosen ? 'chosen' : ''} ${past?.touched.has(id) === true ? 'touched' : ''}`}
      role="row"
      aria-rowindex={index + 2}
      data-workspace={id}
    >
      <span class="name" role="cell">
        <a href={linkTo('overview', id, of)} title={id}>
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
      {model.isPast ? null : (
        <span class="actions" role="cell">
          <RowActions workspace={workspace} />
        </span>
      )}
    </div>
  )
}

function RowActions({ workspace }: { workspace: Workspace }) {
  const { model, attempt } = useApp()
  const [first, ...others] = (['pause', 'resume', 'refresh', 'backup'] as const)
    .filter((action) => model.canBe(action, workspace) && (action !== 'backup' || workspace.is_rw))
    .map((action) => (
      <button
        key={action}
        type="button"
        aria-label={`${LABELS[action]} ${workspace.name}`}
        onClick={() => void attempt(() => model.act(action, workspace))}
      >
        {LABELS[action]}
      </button>
    ))
  return (
    <Guard>
      {first}
      {others.length === 0 ? null : <Menu label={`More for ${workspace.name}`}>{others}</Menu>}
    </Guard>
  )
}
