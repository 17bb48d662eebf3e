import { useMemo, useState } from 'preact/hooks'
import type { Due, Workgroup, Workspace } from '../api/types'
import { linkTo } from '../model/route'
import type { SandboxModel } from '../model/sandbox'
import { toggled } from '../model/toggled'
import { useApp } from '../parts/app-context'
import { Button, LinkButton } from '../parts/blocks'
import { Guard } from '../parts/guard'
import { Menu } from '../parts/menu'
import { NoMatch } from '../parts/no-match'
import { Only } from '../parts/only'
import { State } from '../parts/state'
import { useMedia, useTick } from '../parts/use'
import { Head, VirtualList } from '../parts/virtual-list'
import { NewWorkgroup, NewWorkspace } from './create'
import { EmptySandbox } from './empty-sandbox'
import { Ending, endsOf, LABELS } from './ending'
import { PredatesSeed } from './predates-seed'
import { StateFilter } from './state-filter'
import { WorkspacePanel } from './workspace-panel'

/** The row of a workgroup, or of a workspace in it. */
interface Row {
  readonly group: Workgroup
  readonly workspace?: Workspace
  /** How many of its workspaces are wanted. */
  readonly count: number
  readonly isOpen: boolean
}

const COLUMNS = ['Name', 'State', 'Size', 'Access', 'Database', 'Host', 'Actions']

/** Lists the workgroups and their workspaces. */
export function OverviewView({ part, of }: { part: string | undefined; of: string | undefined }) {
  const { model } = useApp()
  const [text, setText] = useState('')
  const [states, setStates] = useState<ReadonlySet<string>>(new Set())
  const [isCreating, setCreating] = useState(false)
  const isNarrow = useMedia('(max-width: 760px)')
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const rows = useMemo(() => rowsOf(model, { text, states, of, folded }), [model.version, text, states, of, folded])
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
    <div class="split">
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
            <Button text="New workgroup" onClick={() => setCreating(true)} />
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
            keyOf={({ group, workspace }) => workspace?.workspace_id ?? `group ${group.workgroup_id}`}
            head={isNarrow ? undefined : <Head columns={model.isPast ? COLUMNS.slice(0, -1) : COLUMNS} />}
            // Its own row is above.
            pinned={(first) => (rows[first]?.workspace === undefined ? undefined : rows[first].group.name)}
            row={(row, index) =>
              row.workspace === undefined ? (
                <GroupRow row={row} index={index} onFold={() => setFolded(toggled(folded, row.group.workgroup_id))} />
              ) : (
                <WorkspaceRow
                  workspace={row.workspace}
                  index={index}
                  end={ends.get(row.workspace.workspace_id)}
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

/** The rows that meet all that is given. */
function rowsOf(
  model: SandboxModel,
  {
    text,
    states,
    of,
    folded
  }: {
    text: string
    /** States; any if empty. */
    states: ReadonlySet<string>
    /** Id of a workgroup. */
    of: string | undefined
    /** Ids of workgroups whose workspaces are not wanted, unless they are looked for. */
    folded: ReadonlySet<string>
  }
): Row[] {
  const words = text.toLowerCase().split(/\s+/)
  const isFiltered = text.trim() !== '' || states.size > 0
  const isWanted = (workspace: Workspace, group: Workgroup) => {
    if (states.size > 0 && !states.has(workspace.status)) return false
    const { name, workspace_id: id, status, workspace_type_name: size } = workspace
    const all = [name, id, status, size, group.name].join(' ').toLowerCase()
    return words.every((word) => all.includes(word))
  }
  return model.groups().flatMap(({ workgroup: group, workspaces }) => {
    if (of !== undefined && group.workgroup_id !== of) return []
    const wanted = isFiltered ? workspaces.filter((workspace) => isWanted(workspace, group)) : workspaces
    if (wanted.length === 0 && isFiltered) return []
    const row = { group, count: wanted.length, isOpen: isFiltered || !folded.has(group.workgroup_id) }
    return [row, ...(row.isOpen ? wanted : []).map((workspace) => ({ ...row, workspace }))]
  })
}

function GroupRow({ row, index, onFold }: { row: Row; index: number; onFold: () => void }) {
  const { group, count, isOpen } = row
  const [isCreating, setCreating] = useState(false)
  return (
    <div class="row group" role="row" aria-rowindex={index + 2}>
      <span class="group-name" role="cell" aria-colspan={6}>
        <Button
          text={isOpen ? '▾' : '▸'}
          label={`Workspaces of ${group.name}`}
          class="fold"
          aria-expanded={isOpen}
          onClick={onFold}
        />{' '}
        <strong>{group.name}</strong>{' '}
        <span class="quiet">
          {group.platform} {group.region} · {count} {count === 1 ? 'workspace' : 'workspaces'}
        </span>
      </span>
      <span class="actions" role="cell">
        <LinkButton
          text="Requests"
          label={`Requests of ${group.name}`}
          href={linkTo('requests', undefined, group.workgroup_id)}
        />
        <Guard>
          <Button text="New workspace" label={`New workspace in ${group.name}`} onClick={() => setCreating(true)} />
        </Guard>
      </span>
      {isCreating ? <NewWorkspace group={group} onClose={() => setCreating(false)} /> : null}
    </div>
  )
}

function WorkspaceRow(props: {
  workspace: Workspace
  index: number
  end: Due | undefined
  isChosen: boolean
  of: string | undefined
}) {
  const { workspace, index, end, isChosen, of } = props
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
        {model.nameOf(database) ?? database}
      </span>
      <span class="host code quiet" role="cell" title={host}>
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
    .filter((action) => model.canBe(action, workspace))
    .map((action) => (
      <Button
        key={action}
        text={LABELS[action]}
        label={`${LABELS[action]} ${workspace.name}`}
        onClick={() => attempt(() => model.act(action, workspace))}
      />
    ))
  return (
    <Guard>
      {first}
      {others.length === 0 ? null : <Menu label={`More for ${workspace.name}`}>{others}</Menu>}
    </Guard>
  )
}
