import { useMemo, useState } from 'preact/hooks'
import type { Workgroup, Workspace } from '../api/types'
import { groupBy } from '../model/group-by'
import { linkTo } from '../model/route'
import type { SandboxModel } from '../model/sandbox'
import { useUndoable } from '../parts/actions'
import { Guard, useApp } from '../parts/app-context'
import { Button, LinkButton, Menu } from '../parts/blocks'
import { type Column, ListView, Row } from '../parts/list-view'
import { State } from '../parts/state'
import { useTick, useToggles } from '../parts/use'
import { Creation, NEW_WORKGROUP, newWorkspace, type Plan } from './create'
import { EmptySandbox } from './empty-sandbox'
import { Ending, endsOf, LABELS } from './ending'
import { WorkspacePanel } from './workspace-panel'

/** The row of a workgroup, or of a workspace in it */
interface Entry {
  readonly group: Workgroup
  readonly workspace?: Workspace
  /** Number of its workspaces that match the filter. */
  readonly count: number
  readonly isOpen: boolean
}

export function OverviewView({ part, of }: { part: string | undefined; of: string | undefined }) {
  const { model, past } = useApp()
  const [text, setText] = useState('')
  const [states, toggleState, clearStates] = useToggles()
  const [folded, toggleFolded] = useToggles()
  const [plan, create] = useState<Plan>()
  const rows = useMemo(() => rowsOf(model, text, states, of, folded), [model.version, text, states, of, folded])
  const ends = useMemo(() => endsOf(model.events), [model.events])
  useTick(500, model.clock?.mode === 'real' && ends.size > 0)
  const chosen = part === undefined ? undefined : model.workspaces.get(part)
  const columns: Column<Workspace>[] = [
    {
      name: 'Name',
      class: 'name',
      cell: ({ workspace_id: id, name }) => (
        <a href={linkTo('overview', id, of)} title={id}>
          {name}
        </a>
      )
    },
    {
      name: 'State',
      class: 'status-cell',
      cell: (workspace) => (
        <>
          <State name={workspace.status} />
          <Ending workspace={workspace} end={ends.get(workspace.workspace_id)} />
        </>
      )
    },
    { name: 'Size', class: 'size', cell: ({ workspace_type_name: size }) => size },
    { name: 'Access', class: 'access', cell: ({ is_rw: isRw }) => (isRw ? 'read-write' : 'read-only') },
    {
      name: 'Database',
      class: 'database',
      title: ({ database_id: id }) => id,
      cell: ({ database_id: id }) => model.nameOf(id) ?? id
    },
    { name: 'Host', class: 'host code quiet', title: ({ host }) => host, cell: ({ host }) => host },
    { name: 'Actions', class: 'actions', cell: (workspace) => <RowActions workspace={workspace} /> }
  ]
  const shown = model.isPast ? columns.slice(0, -1) : columns
  return (
    <>
      <ListView
        view="overview"
        things="Workspaces"
        class="workspaces"
        label="Workgroups and workspaces"
        placeholder="Filter by name, id, state…"
        search={[text, setText]}
        route={{ part, of }}
        onClear={clearStates}
        notes={
          <>
            {model.predatesSeed ? <PredatesSeed /> : null}
            {part !== undefined && chosen === undefined ? (
              <p class="bar" role="note">
                The workspace <code>{part}</code> is not in this sandbox.
              </p>
            ) : null}
          </>
        }
        filters={<StateFilter chosen={states} onToggle={toggleState} />}
        tools={
          <Guard>
            <Button text="New workgroup" onClick={() => create(NEW_WORKGROUP)} />
          </Guard>
        }
        empty={model.workgroups.size === 0 ? <EmptySandbox /> : undefined}
        columns={shown}
        rowHeights={[34, 58]}
        items={rows}
        keyOf={({ group, workspace }) => workspace?.workspace_id ?? `group ${group.workgroup_id}`}
        // The row of a workgroup needs no other head.
        pinned={(first) => (rows[first]?.workspace === undefined ? undefined : rows[first].group.name)}
        row={(entry, index) =>
          entry.workspace === undefined ? (
            <GroupRow
              entry={entry}
              index={index}
              onFold={() => toggleFolded(entry.group.workgroup_id)}
              onCreate={() => create(newWorkspace(entry.group, model.databases.values()))}
            />
          ) : (
            <Row
              columns={shown}
              item={entry.workspace}
              index={index}
              class={[
                entry.workspace === chosen && 'chosen',
                past?.touched.has(entry.workspace.workspace_id) === true && 'touched'
              ]}
              data-workspace={entry.workspace.workspace_id}
            />
          )
        }
        panel={
          chosen === undefined ? null : (
            <WorkspacePanel key={chosen.workspace_id} workspace={chosen} closeTo={linkTo('overview', undefined, of)} />
          )
        }
      />
      {plan === undefined ? null : <Creation plan={plan} onClose={() => create(undefined)} />}
    </>
  )
}

/** The rows that match the filter. An empty set of states matches any; folded workgroups open for a filter. */
function rowsOf(
  model: SandboxModel,
  text: string,
  states: ReadonlySet<string>,
  of: string | undefined,
  folded: ReadonlySet<string>
): Entry[] {
  const words = text.toLowerCase().split(/\s+/)
  const isFiltered = text.trim() !== '' || states.size > 0
  const isMatch = (workspace: Workspace, group: Workgroup) => {
    if (states.size > 0 && !states.has(workspace.status)) return false
    const { name, workspace_id: id, status, workspace_type_name: size } = workspace
    const all = [name, id, status, size, group.name].join(' ').toLowerCase()
    return words.every((word) => all.includes(word))
  }
  return model.groups().flatMap(({ workgroup: group, workspaces }) => {
    if (of !== undefined && group.workgroup_id !== of) return []
    const matches = isFiltered ? workspaces.filter((workspace) => isMatch(workspace, group)) : workspaces
    if (matches.length === 0 && isFiltered) return []
    const row = { group, count: matches.length, isOpen: isFiltered || !folded.has(group.workgroup_id) }
    return [row, ...(row.isOpen ? matches : []).map((workspace) => ({ ...row, workspace }))]
  })
}

function GroupRow(props: { entry: Entry; index: number; onFold: () => void; onCreate: () => void }) {
  const { index, onFold, onCreate } = props
  const { group, count, isOpen } = props.entry
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
          <Button text="New workspace" label={`New workspace in ${group.name}`} onClick={onCreate} />
        </Guard>
      </span>
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

function StateFilter({ chosen, onToggle }: { chosen: ReadonlySet<string>; onToggle: (state: string) => void }) {
  const { model } = useApp()
  const byState = useMemo(() => groupBy([...model.workspaces.values()], ({ status }) => status), [model.version])
  const states = [...new Set([...byState.keys(), ...chosen])].sort()
  return (
    <div class="counts" role="group" aria-label="Filter by state">
      {states.map((state) => (
        <button key={state} type="button" class="chip" aria-pressed={chosen.has(state)} onClick={() => onToggle(state)}>
          <State name={state} /> {byState.get(state)?.length ?? 0}
        </button>
      ))}
    </div>
  )
}

function PredatesSeed() {
  const { model, confirm } = useApp()
  const undoable = useUndoable()
  const reset = async () => {
    const text = 'The sandbox gets the contents of a new one. Its snapshots stay.'
    if (await confirm('Reset to the seed?', text, 'Reset'))
      await undoable(() => model.client.control('POST', '/reset', {}))
  }
  return (
    <div class="bar" role="note">
      <span>This sandbox is older than the server’s seed, so it does not contain it.</span>
      <Guard>
        <Button text="Reset to the seed…" onClick={reset} />
      </Guard>
    </div>
  )
}
