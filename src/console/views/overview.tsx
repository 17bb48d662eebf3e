import { useMemo, useState } from 'preact/hooks'
import { demoState } from '../../documents/demo'
import { groupBy } from '../../lib/group-by'
import type { Profile, Workgroup, Workspace } from '../api/types'
import { linkTo } from '../model/route'
import type { Group, SandboxModel } from '../model/sandbox'
import { useUndoable } from '../parts/actions'
import { Guard, useApp } from '../parts/app-context'
import { Button, Menu } from '../parts/blocks'
import { type Column, ListView, Row } from '../parts/list-view'
import { State } from '../parts/state'
import { type Toggles, useTick, useToggles } from '../parts/use'
import { Creation, NEW_WORKGROUP, newWorkspace, type Plan } from './create'
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
  const filter = useToggles()
  const [states, , clearStates] = filter
  const [folded, toggleFolded] = useToggles()
  const [plan, create] = useState<Plan>()
  const matches = useMemo(() => matchesOf(model, text, of), [model.version, text, of])
  const isFiltered = text.trim() !== '' || states.size > 0
  const rows = useMemo(() => rowsOf(matches, isFiltered, states, folded), [matches, isFiltered, states, folded])
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
            {model.predatesSeed ? (
              <p class="bar" role="note">
                This sandbox is older than the server’s seed, so it does not contain it.{' '}
                <a href={linkTo('state')}>Reset</a>
              </p>
            ) : null}
            {part !== undefined && chosen === undefined ? (
              <p class="bar" role="note">
                The workspace <code>{part}</code> is not in this sandbox.
              </p>
            ) : null}
          </>
        }
        filters={<StateFilter found={matches.flatMap(({ workspaces }) => workspaces)} filter={filter} />}
        tools={
          <Guard>
            <Button text="New workgroup" onClick={() => create(NEW_WORKGROUP)} />
          </Guard>
        }
        empty={model.workgroups.size === 0 ? <EmptySandbox /> : undefined}
        columns={shown}
        heightOf={(_, width) => (width > 670 ? 34 : 58)}
        items={rows}
        keyOf={({ group, workspace }) => workspace?.workspace_id ?? `group ${group.workgroup_id}`}
        // The row of a workgroup needs no other head.
        pinned={(first, show) => {
          const { group, workspace } = rows[first] ?? {}
          if (group === undefined || workspace === undefined) return undefined
          const fold = () => {
            show(rows.findIndex((row) => row.group === group))
            toggleFolded(group.workgroup_id)
          }
          // The keyboard reaches the button in the row itself.
          return <Button text={`▾ ${group.name}`} class="fold" tabIndex={-1} onClick={fold} />
        }}
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

/** The workgroups, or the one with an id, with their workspaces that contain all words of the text. */
function matchesOf(model: SandboxModel, text: string, of: string | undefined): Group[] {
  const words = text.toLowerCase().split(/\s+/)
  return model
    .groups()
    .filter(({ workgroup }) => of === undefined || workgroup.workgroup_id === of)
    .map(({ workgroup, workspaces }) => ({
      workgroup,
      workspaces: workspaces.filter(({ name, workspace_id: id, status, workspace_type_name: size }) => {
        const all = [name, id, status, size, workgroup.name].join(' ').toLowerCase()
        return words.every((word) => all.includes(word))
      })
    }))
}

/** The rows of matches. An empty set of states matches any; folded workgroups open for a filter. */
function rowsOf(
  matches: readonly Group[],
  isFiltered: boolean,
  states: ReadonlySet<string>,
  folded: ReadonlySet<string>
): Entry[] {
  return matches.flatMap(({ workgroup: group, workspaces }) => {
    const chosen = states.size === 0 ? workspaces : workspaces.filter(({ status }) => states.has(status))
    if (chosen.length === 0 && isFiltered) return []
    const row = { group, count: chosen.length, isOpen: isFiltered || !folded.has(group.workgroup_id) }
    return [row, ...(row.isOpen ? chosen : []).map((workspace) => ({ ...row, workspace }))]
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
        <a
          class="button"
          aria-label={`Requests of ${group.name}`}
          href={linkTo('requests', undefined, group.workgroup_id)}
        >
          Requests
        </a>
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

/** Counts the workspaces by state. */
function StateFilter({ found, filter: [chosen, toggle] }: { found: readonly Workspace[]; filter: Toggles }) {
  const byState = groupBy(found, ({ status }) => status)
  const states = [...new Set([...byState.keys(), ...chosen])].sort()
  return (
    <div class="counts" role="group" aria-label="Filter by state">
      {states.map((state) => (
        <button key={state} type="button" class="chip" aria-pressed={chosen.has(state)} onClick={() => toggle(state)}>
          <State name={state} /> {byState.get(state)?.length ?? 0}
        </button>
      ))}
    </div>
  )
}

function EmptySandbox() {
  const { model } = useApp()
  const undoable = useUndoable()
  if (model.isPast) return <p class="quiet empty">The sandbox is empty at this moment.</p>
  const load = () =>
    undoable(async () => {
      const { catalogue } = await model.client.read<Profile>('/profile')
      return model.client.control('PUT', '/seed', demoState(catalogue))
    })
  return (
    <div class="empty first-look">
      <h2>This sandbox is empty.</h2>
      <p class="line">
        <Guard>
          <Button text="Load demo" class="primary" onClick={load} />
        </Guard>{' '}
        <span class="quiet">A workgroup with a workspace in each stable state.</span>
      </p>
    </div>
  )
}
