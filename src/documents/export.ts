import { groupBy } from '../lib/group-by.js'
import { finish, type Slices } from '../lib/scheduler.js'
import { toTimestamp } from '../lib/time.js'
import type { Extra } from '../profile/fields.js'
import type { Profile } from '../profile/profile.js'
import { BUILT_IN_WORDS } from '../profile/states.js'
import type { StoredKind } from '../profile/stored-kinds.js'
import type { ControlPlane } from '../resources/control-plane.js'
import { orgUserInDocument } from '../resources/org-users/fields.js'
import {
  type InDocument,
  ownerColumn,
  type Part,
  type Parts,
  partStore,
  withParts,
  WORKGROUP_PARTS,
  WORKSPACE_PARTS
} from '../resources/parts.js'
import { changeToWire } from '../resources/states.js'
import { stubItemInDocument } from '../resources/stub-items/fields.js'
import type { SandboxStores } from '../resources/tx.js'
import { workgroupInDocument, type WorkgroupRecord } from '../resources/workgroups/fields.js'
import { fittingParts } from '../resources/workspaces/document.js'
import { workspaceInDocument, type WorkspaceRecord } from '../resources/workspaces/fields.js'
import type { Sandbox } from '../sandboxes/sandbox.js'
import type { ClockState } from '../sim/clock.js'
import type { TimelineEntry } from '../sim/timeline.js'
import { toTimelineEntryView } from '../sim/views.js'
import { type EventState, FORMAT, type PreparedState, type WorkgroupState, type WorkspaceState } from './schemas.js'

/**
 * A sandbox as one document, without its journal and snapshots. The same state always gives the same text.
 * @param isRead see {@link exporterOf}
 */
export function exportState(plane: ControlPlane, sandbox: Sandbox, isRead = false): PreparedState {
  return finish(exportInSlices(plane, sandbox, () => false, isRead))
}

/** Number of workspaces per step of an export. */
const STEP = 200

/**
 * {@link exportState} in steps of a few milliseconds. Nothing may write in the sandbox between them.
 * @param isTimeUp asked after each step whether to yield
 */
export function* exportInSlices(
  plane: ControlPlane,
  sandbox: Sandbox,
  isTimeUp: () => boolean,
  isRead = false
): Slices<PreparedState> {
  const { key } = sandbox
  const exporter = exporterOf(plane, sandbox, isRead)
  const stores = plane.storesOf(sandbox)
  const workgroups: WorkgroupState[] = []
  let workspaces = 0
  const rows = yield* rowsIn(stores, isTimeUp)
  for (const workgroup of stores.workgroups.list()) {
    const { id } = workgroup
    const exported: WorkspaceState[] = []
    for (const workspace of rows.workspaces.get(id) ?? []) {
      exported.push(exporter.workspace(workspace, (part) => rows.ofPart(part, workspace.id)))
      if (++workspaces % STEP === 0 && isTimeUp()) yield
    }
    workgroups.push(exporter.workgroup(workgroup, (part) => rows.ofPart(part, id), exported))
  }
  if (isTimeUp()) yield
  const events = exporter.events()
  if (isTimeUp()) yield
  const timeline = plane.timeline.list(key).map(exporter.change)
  return { ...exporter.settings(), workgroups, events, timeline }
}

/**
 * Makes the parts of the document of a sandbox.
 * @param isRead whether the document is for readers, and has the words of the profile. A stored one has the built-in
 *   states, and all values of further fields, also those that the profile in force does not allow.
 */
export function exporterOf(plane: ControlPlane, sandbox: Sandbox, isRead: boolean) {
  const { key } = sandbox
  const words = isRead ? plane.profile.words : BUILT_IN_WORDS
  const fitParts = fittingParts(plane.profile)
  const shown = <K extends InDocument>({ kind, toState, restate }: K, row: object): StateOf<K> => {
    const state = toState(row as never) as StateOf<K>
    return isRead ? restate(fitted(plane.profile, kind, state), (of, name) => words[of].toWire(name)) : state
  }
  /** @param rowsOf returns the rows of the parts of one kind */
  const partsOf = (parts: Parts, rowsOf: (part: Part) => readonly object[]) =>
    withParts(parts, (part) => rowsOf(part).map((row) => shown<InDocument>(part.inDocument, row)))
  return {
    /** The document without its workgroups, events and timeline. */
    settings(): Omit<PreparedState, 'workgroups' | 'events' | 'timeline'> {
      const { quotas, orgUsers, stubItems } = plane.storesOf(sandbox)
      const items = stubItems.listAll()
      return {
        format: FORMAT,
        ...(plane.profile.isBuiltIn ? {} : { profile: plane.profile.name }),
        ...this.standing(),
        quotas: quotas.list(),
        transitions: plane.engine.rules.list(key),
        faults: plane.faults.list(key),
        org_users: orgUsers.list().map((user) => shown(orgUserInDocument, user)),
        ...(items.length === 0 ? {} : { stub_items: items.map(stubItemInDocument.toState) })
      }
    },

    /** The parts that are not in tables of their own. */
    standing() {
      const { orgId, orgName, random, clock } = sandbox
      return {
        org: { id: orgId, name: orgName },
        random: { seed: random.seed, draws: random.draws },
        clock: exportClock(clock)
      }
    },

    /** @param rowsOf returns the rows of its parts of one kind */
    workgroup(
      workgroup: WorkgroupRecord,
      rowsOf: (part: Part) => readonly object[],
      workspaces: readonly WorkspaceState[]
    ): WorkgroupState {
      const { enableAllowList: enabled } = workgroup
      const { entries, ...others } = partsOf(WORKGROUP_PARTS, rowsOf)
      return {
        ...shown(workgroupInDocument, workgroup),
        allow_list: { enabled, entries },
        ...others,
        workspaces
      } as WorkgroupState
    },

    /** @param rowsOf returns the rows of its parts of one kind */
    workspace(workspace: WorkspaceRecord, rowsOf: (part: Part) => readonly object[]): WorkspaceState {
      const state: WorkspaceState = shown(workspaceInDocument, workspace)
      return { ...state, ...(isRead ? fitParts(state) : {}), ...partsOf(WORKSPACE_PARTS, rowsOf) }
    },

    events(): EventState[] {
      // Those due at the same time, now or after a release, are in this order.
      const events = plane.engine.dueEvents.list(key).sort((a, b) => a.sequence - b.sequence)
      return events.map(({ kind, resource, due, payload, requestId }) => ({
        event: kind,
        workspace_id: resource,
        due: due === null ? null : toTimestamp(due),
        payload,
        request_id: requestId
      }))
    },

    change: (entry: TimelineEntry) => toTimelineEntryView(changeToWire(entry, words))
  }
}

type StateOf<K extends InDocument> = K['toState'] extends ((row: never) => infer State extends object) ? State : never

/** Leaves out stored values of further fields that a profile does not allow: no import would take them. */
function fitted<T extends { readonly extra?: Extra }>({ fields }: Profile, kind: StoredKind | undefined, state: T): T {
  if (kind === undefined || state.extra === undefined) return state
  const { extra, ...rest } = state
  const kept = fields.fitting(kind, extra)
  return (kept === undefined ? rest : { ...rest, extra: kept }) as T
}

/** All workspaces and parts by the ids of their owners, read with a constant number of statements. */
function* rowsIn(stores: SandboxStores, isTimeUp: () => boolean) {
  const pages = []
  for (const page of stores.workspaces.pages()) {
    pages.push(page)
    if (isTimeUp()) yield
  }
  const ofParts = new Map<Part, ReadonlyMap<string, object[]>>()
  for (const part of [...Object.values(WORKGROUP_PARTS), ...Object.values(WORKSPACE_PARTS)]) {
    const owner = ownerColumn(part)
    ofParts.set(
      part,
      groupBy(partStore(stores, part).listAll(), (row) => row[owner])
    )
    if (isTimeUp()) yield
  }
  return {
    workspaces: groupBy(pages.flat(), ({ workgroup }) => workgroup),
    ofPart: (part: Part, owner: string): readonly object[] => ofParts.get(part)!.get(owner) ?? []
  }
}

/**
 * A clock as the document stores it. In mode `real`, stores the base instead of the current time, so that the text does
 * not change while the clock runs.
 */
export function exportClock({ mode, base, anchor, rate }: ClockState): NonNullable<PreparedState['clock']> {
  if (mode !== 'real') return { mode, now: toTimestamp(base), rate }
  return base === anchor && rate === 1
    ? { mode, rate }
    : { mode, now: toTimestamp(base), wall: toTimestamp(anchor), rate }
}
