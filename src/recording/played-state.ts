import type { RowChange } from '../db/row-watcher.js'
import { exporterOf, exportInSlices } from '../documents/export.js'
import type { PreparedState, WorkgroupState } from '../documents/schemas.js'
import { groupBy } from '../lib/group-by.js'
import type { Slices } from '../lib/scheduler.js'
import type { ControlPlane } from '../resources/control-plane.js'
import { type Parts, partStore, WORKGROUP_PARTS, WORKSPACE_PARTS } from '../resources/parts.js'
import { WORKGROUPS } from '../resources/workgroups/fields.js'
import { WORKSPACES } from '../resources/workspaces/fields.js'
import type { Sandbox } from '../sandboxes/sandbox.js'
import { toTimelineEntry } from '../test-control/stream/views.js'

const tablesOf = (parts: Parts) => new Set(Object.values(parts).map(({ inDocument: { table } }) => table.name))
const IN_WORKGROUPS = tablesOf(WORKGROUP_PARTS)
const IN_WORKSPACES = tablesOf(WORKSPACE_PARTS)

/** An exported state document, which has all its parts. */
type Document = Required<Pick<PreparedState, 'workgroups' | 'events' | 'timeline'>> & PreparedState

/**
 * The state document of a sandbox in which a recording is played back. Only changed parts are read again; the others
 * stay the same objects.
 */
export function playedState(plane: ControlPlane, sandbox: Sandbox) {
  const exporter = exporterOf(plane, sandbox, true)
  const stores = plane.storesOf(sandbox)
  let document: Document
  return { read, follow }

  /** Reads the whole document. */
  function* read(): Slices<PreparedState> {
    document = (yield* exportInSlices(plane, sandbox, () => true, true)) as Document
    return document
  }

  /** Reads the changed parts, after a call of {@link read}. */
  function follow(changes: readonly RowChange[]): PreparedState {
    const workgroups = new Set<string>()
    /** Workspace ids with their workgroups' ids, if known. */
    const workspaces = new Map<string, string | undefined>()
    const added: Document['timeline'][number][] = []
    let [hasOthers, hasEvents] = [false, false]
    for (const { table, before, after } of changes) {
      const { id, workgroup, workspace } = (after ?? before) as unknown as Parents
      if (table === 'due_events') hasEvents = true
      else if (table === 'timeline') added.push(exporter.change(toTimelineEntry(after!)))
      else if (table === WORKSPACES.name) workspaces.set(id, workgroup)
      else if (IN_WORKSPACES.has(table)) workspaces.set(workspace, workspaces.get(workspace))
      else if (table === WORKGROUPS.name) workgroups.add(id)
      else if (IN_WORKGROUPS.has(table)) workgroups.add(workgroup)
      else hasOthers = true
    }
    const { workgroups: _, events, timeline, ...settings } = document
    document = {
      ...(hasOthers ? exporter.settings() : { ...settings, ...exporter.standing() }),
      workgroups: followResources(workgroups, workspaces),
      events: hasEvents ? exporter.events() : events,
      timeline: added.length === 0 ? timeline : [...timeline, ...added]
    }
    return document
  }

  function followResources(
    workgroups: ReadonlySet<string>,
    workspaces: ReadonlyMap<string, string | undefined>
  ): WorkgroupState[] {
    if (workgroups.size + workspaces.size === 0) return document.workgroups
    const groups = byId(document.workgroups)
    for (const id of workgroups)
      put(groups, id, stores.workgroups.find(id), (found) =>
        exporter.workgroup(found, (part) => partStore(stores, part).list(id), groups.get(id)?.workspaces ?? [])
      )
    const changed = [...workspaces].map(([id, workgroup]) => ({ id, workgroup, found: stores.workspaces.find(id) }))
    for (const [id, own] of groupBy(changed, ({ found, workgroup }) => found?.workgroup ?? workgroup)) {
      const group = groups.get(id ?? '')
      if (group === undefined) continue
      const items = byId(group.workspaces ?? [])
      for (const { id, found } of own)
        put(items, id, found, (found) => exporter.workspace(found, (part) => partStore(stores, part).list(id)))
      groups.set(group.id!, { ...group, workspaces: [...items.values()] })
    }
    return [...groups.values()]
  }
}

/** Columns by which a row belongs to a resource. */
interface Parents {
  readonly id: string
  readonly workgroup: string
  readonly workspace: string
}

/** @param items exported ones, which have ids */
function byId<T extends { readonly id?: string }>(items: readonly T[]): Map<string, T> {
  return new Map(items.map((item) => [item.id!, item]))
}

/** Stores an item that was found, or removes one that is gone. */
function put<T, Item>(items: Map<string, Item>, id: string, found: T | undefined, toItem: (found: T) => Item): void {
  if (found === undefined) items.delete(id)
  else items.set(id, toItem(found))
}
