import type { Row, RowChange } from '../db/row-watcher.js'
import { bySequence, exporterOf, exportInSlices } from '../documents/export.js'
import {
  type EventState,
  type PreparedState,
  withEntries,
  type WorkgroupState,
  type WorkspaceState
} from '../documents/schemas.js'
import type { Slices } from '../lib/scheduler.js'
import type { ControlPlane } from '../resources/control-plane.js'
import { type Part, partsIn, partStore, WORKGROUP_PARTS, WORKSPACE_PARTS } from '../resources/parts.js'
import { WORKGROUPS } from '../resources/workgroups/fields.js'
import { WORKSPACES } from '../resources/workspaces/fields.js'
import type { Sandbox } from '../sandboxes/sandbox.js'
import { toEvent } from '../sim/due-events.js'
import { toTimelineEntry } from '../test-control/stream/views.js'

type WorkgroupPart = (typeof WORKGROUP_PARTS)[keyof typeof WORKGROUP_PARTS]
const IN_WORKGROUPS = new Map<string, WorkgroupPart>(
  Object.values(WORKGROUP_PARTS).map((part) => [part.inDocument.table.name, part])
)
const IN_WORKSPACES = new Set<string>(Object.values(WORKSPACE_PARTS).map(({ inDocument: { table } }) => table.name))

/** An exported state document, which has all its parts. */
type Document = Required<Pick<PreparedState, 'workgroups' | 'events' | 'timeline'>> & PreparedState

/**
 * The state document of a sandbox in which a recording is played back. Only changed parts are read again; the others
 * stay the same objects.
 */
export function playedState(plane: ControlPlane, sandbox: Sandbox) {
  const exporter = exporterOf(plane, sandbox, true)
  const stores = plane.storesOf(sandbox)
  const groups = new Map<string, WorkgroupState>()
  /** Parts of workgroups, by the workgroups' ids. */
  const contents = new Map<string, Contents>()
  /** By sequence. */
  const events = new Map<number, EventState>()
  let document: Document
  return { read, follow }

  /** Reads the whole document. */
  function* read(): Slices<PreparedState> {
    document = (yield* exportInSlices(plane, sandbox, () => true, true)) as Document
    for (const map of [groups, contents, events]) map.clear()
    for (const group of document.workgroups) {
      const { id = '', workspaces } = group
      groups.set(id, group)
      const parts = partsIn(WORKGROUP_PARTS, withEntries(group)).map(([part, items]) => [part, byId(items)] as const)
      contents.set(id, { parts: new Map(parts), workspaces: byId(workspaces) })
      yield
    }
    const due = plane.engine.dueEvents.list(sandbox.key).sort(bySequence)
    for (const [index, { sequence }] of due.entries()) events.set(sequence, document.events[index]!)
    return document
  }

  /** Reads the changed parts, after a call of {@link read}. */
  function follow(changes: readonly RowChange[]): PreparedState {
    const changed = new Set<string>()
    /** Workspace ids with their workgroups' ids, if known. */
    const workspaces = new Map<string, string | undefined>()
    const added: Document['timeline'][number][] = []
    let [hasOthers, hasEvents] = [false, false]
    for (const { table, before, after } of changes) {
      const { id, workgroup, workspace } = (after ?? before) as unknown as Parents
      const part = IN_WORKGROUPS.get(table)
      if (table === 'due_events') {
        followEvent(before, after)
        hasEvents = true
      } else if (table === 'timeline') added.push(exporter.change(toTimelineEntry(after!)))
      else if (table === WORKSPACES.name) workspaces.set(id, workgroup)
      else if (IN_WORKSPACES.has(table)) workspaces.set(workspace, workspaces.get(workspace))
      else if (table === WORKGROUPS.name) changed.add(id)
      else if (part !== undefined) {
        readPart(part, workgroup, id)
        changed.add(workgroup)
      } else hasOthers = true
    }
    for (const [id, group] of workspaces) changed.add(readWorkspace(id, group))
    for (const id of changed) readWorkgroup(id)
    const { workgroups, events: scheduled, timeline, ...settings } = document
    document = {
      ...(hasOthers ? exporter.settings() : { ...settings, ...exporter.standing() }),
      workgroups: changed.size === 0 ? workgroups : [...groups.values()],
      events: hasEvents ? eventsInOrder() : scheduled,
      timeline: added.length === 0 ? timeline : [...timeline, ...added]
    }
    return document
  }

  function readPart(part: WorkgroupPart, workgroup: string, id: string): void {
    const items = contentsOf(workgroup).parts.get(part)!
    put(items, id, stores[part.store].find(workgroup, id), (found) => exporter.part(part, found))
  }

  /** @param formerly its workgroup, if known from a change @returns its workgroup */
  function readWorkspace(id: string, formerly: string | undefined): string {
    const workspace = stores.workspaces.find(id)
    const workgroup = workspace?.workgroup ?? formerly ?? ''
    put(contentsOf(workgroup).workspaces, id, workspace, (found) =>
      exporter.workspace(found, (part) => partStore(stores, part).list(id))
    )
    return workgroup
  }

  function readWorkgroup(id: string): void {
    const { parts, workspaces } = contentsOf(id)
    const workgroup = stores.workgroups.find(id)
    put(groups, id, workgroup, (found) =>
      exporter.workgroup(found, (part) => [...parts.get(part)!.values()], [...workspaces.values()])
    )
    if (workgroup === undefined) contents.delete(id)
  }

  function contentsOf(workgroup: string): Contents {
    const known = contents.get(workgroup)
    if (known !== undefined) return known
    const none: Contents = {
      parts: new Map(Object.values(WORKGROUP_PARTS).map((part) => [part, new Map()])),
      workspaces: new Map()
    }
    contents.set(workgroup, none)
    return none
  }

  function followEvent(before: Row | undefined, after: Row | undefined): void {
    if (after === undefined) events.delete(before!['sequence'] as number)
    else {
      const event = toEvent(after)
      events.set(event.sequence, exporter.event(event))
    }
  }

  /** Sorts, because a change that is played back may bring back an event with an old number. */
  function eventsInOrder(): EventState[] {
    return [...events].sort(([a], [b]) => a - b).map(([, event]) => event)
  }
}

/** Columns by which a row belongs to a resource. */
interface Parents {
  readonly id: string
  readonly workgroup: string
  readonly workspace: string
}

type ById<T> = Map<string, T>

interface Contents {
  readonly parts: ReadonlyMap<Part, ById<object>>
  readonly workspaces: ById<WorkspaceState>
}

/** @param items exported ones, which have ids */
function byId<T extends { readonly id?: string }>(items: readonly T[] = []): ById<T> {
  return new Map(items.map((item) => [item.id!, item]))
}

/** Stores an item that was found, or removes one that is gone. */
function put<T, Item>(items: ById<Item>, id: string, found: T | undefined, toItem: (found: T) => Item): void {
  if (found === undefined) items.delete(id)
  else items.set(id, toItem(found))
}
