import { type Static, Type } from '@sinclair/typebox'
import { fromCatalogue } from '../../profile/by-profile.js'
import { BUILT_IN_DURATIONS } from '../../profile/durations.js'
import { defineEnd, defineEvent, type EndKind, eventOf, Id, NOTHING } from '../../sim/events.js'
import type { StateTable, Transition } from '../../sim/state-machine.js'

/** The states of a workspace (`status`). All are assumed; `id` names the assumption. */
export const WORKSPACE_STATES = {
  Creating: { id: 'P-101', meaning: 'being provisioned', costs: true },
  Active: { id: 'P-102', meaning: 'serving', costs: true },
  Pausing: { id: 'P-103', meaning: 'on its way to `Stopped` or `Idle`', costs: true },
  Stopped: { id: 'P-104', meaning: 'paused; only a resume starts it' },
  Idle: { id: 'P-105', meaning: 'paused with auto-start: data-plane activity starts it as well' },
  Resuming: { id: 'P-106', meaning: 'on its way to `Active`', costs: true },
  Resizing: { id: 'P-107', meaning: 'its type or its high availability is being changed', costs: true },
  Restoring: { id: 'P-108', meaning: 'a restore job runs on it', costs: true },
  Terminating: { id: 'P-109', meaning: 'being deleted; gone (404) at the end' },
  Failed: { id: 'P-110', meaning: 'a transition failed; it can be resumed or deleted' }
} as const satisfies StateTable
export type WorkspaceState = keyof typeof WORKSPACE_STATES

/** States in which settings and schedules can be changed, and the workspace deleted. */
export const UPDATABLE = (Object.keys(WORKSPACE_STATES) as WorkspaceState[]).filter((state) => state !== 'Terminating')

/** The outcome of the last refresh (`refresh_status`). */
export const REFRESH_STATES = {
  '': { id: 'P-138', meaning: 'never refreshed' },
  Refreshing: { id: 'P-139', meaning: 'a refresh runs' },
  Refreshed: { id: 'P-140', meaning: 'the last refresh succeeded' },
  Failed: { id: 'P-141', meaning: 'the last refresh failed; `refresh_message` says why' }
} as const satisfies StateTable

/** The transitions of a workspace, as `docs/assumptions.md` lists them. */
export const WORKSPACE_TRANSITIONS = {
  create: {
    id: 'P-112',
    durationId: 'P-113',
    name: 'workspace.create',
    trigger: 'createWorkspace',
    from: [],
    noopFrom: [],
    during: 'Creating',
    to: ['Active'],
    failsTo: 'Failed',
    duration: BUILT_IN_DURATIONS['workspace.create']
  },
  pause: {
    id: 'P-114',
    durationId: 'P-115',
    name: 'workspace.pause',
    trigger: 'pauseWorkspace, `pause: true` in updateWorkspace, auto-stop, workspace schedule',
    operation: 'pauseWorkspace',
    from: ['Active'],
    noopFrom: ['Pausing', 'Stopped', 'Idle'],
    during: 'Pausing',
    to: ['Stopped', 'Idle'],
    failsTo: 'Active',
    duration: BUILT_IN_DURATIONS['workspace.pause']
  },
  resume: {
    id: 'P-116',
    durationId: 'P-117',
    name: 'workspace.resume',
    trigger: 'resumeWorkspace, `pause: false` in updateWorkspace, activity on an Idle one, workspace schedule',
    operation: 'resumeWorkspace',
    from: ['Stopped', 'Idle', 'Failed'],
    noopFrom: ['Resuming', 'Active'],
    during: 'Resuming',
    to: ['Active'],
    failsTo: 'Stopped',
    duration: BUILT_IN_DURATIONS['workspace.resume']
  },
  resize: {
    id: 'P-118',
    durationId: 'P-119',
    name: 'workspace.resize',
    trigger: 'updateWorkspace with another type or high availability, workspace schedule',
    from: ['Active'],
    noopFrom: [],
    during: 'Resizing',
    to: ['Active'],
    failsTo: 'Active',
    duration: BUILT_IN_DURATIONS['workspace.resize']
  },
  restore: {
    id: 'P-120',
    durationId: 'P-121',
    name: 'restore.run',
    trigger: 'restoreBackup',
    operation: 'restoreBackup',
    from: ['Active'],
    noopFrom: [],
    during: 'Restoring',
    to: ['Active'],
    failsTo: 'Failed',
    duration: BUILT_IN_DURATIONS['restore.run']
  },
  delete: {
    id: 'P-122',
    durationId: 'P-123',
    name: 'workspace.delete',
    trigger: 'deleteWorkspace',
    operation: 'deleteWorkspace',
    from: UPDATABLE,
    noopFrom: [],
    during: 'Terminating',
    to: [],
    failsTo: 'Failed',
    duration: BUILT_IN_DURATIONS['workspace.delete']
  }
} as const satisfies Record<string, Transition<WorkspaceState>>

export type StatusTransition = Transition<WorkspaceState>

export const {
  create: CREATE,
  pause: PAUSE,
  resume: RESUME,
  resize: RESIZE,
  restore: RESTORE,
  delete: DELETE
} = WORKSPACE_TRANSITIONS

/** A refresh does not change the state of a workspace: it starts in `Active` and shows in `refresh_status`. */
export const REFRESH: Transition<keyof typeof REFRESH_STATES> = {
  id: 'P-124',
  durationId: 'P-125',
  name: 'workspace.refresh',
  trigger: 'refreshWorkspace',
  operation: 'refreshWorkspace',
  from: ['', 'Refreshed', 'Failed'],
  noopFrom: ['Refreshing'],
  during: 'Refreshing',
  to: ['Refreshed'],
  failsTo: 'Failed',
  duration: BUILT_IN_DURATIONS['workspace.refresh']
}

// States of a workspace that allow other actions.

export const REFRESHABLE: readonly WorkspaceState[] = ['Active']

/** Data-plane activity is possible. */
export const SERVING: readonly WorkspaceState[] = ['Active', 'Idle']

/** The server runs: only then can it list and change its users (publicly documented). */
export const RUNNING: readonly WorkspaceState[] = ['Active', 'Resizing', 'Restoring']

/** A new size takes effect at once. */
export const RESIZABLE_AT_ONCE: readonly WorkspaceState[] = ['Stopped', 'Idle']

/** The event that pauses an unused workspace. */
export const AUTO_STOP = defineEvent('workspace.auto-stop', NOTHING)

const typeName = Type.Optional(fromCatalogue('workspaceTypes', 'Size.'))

/** The data stored when a transition starts, for its end. */
export const WORKSPACE_ENDS = {
  create: defineEnd(CREATE, NOTHING),
  pause: defineEnd(PAUSE, NOTHING),
  resume: defineEnd(RESUME, Type.Object({ thenType: typeName })),
  resize: defineEnd(RESIZE, Type.Object({ typeName, enableHa: Type.Optional(Type.Boolean()) })),
  restore: defineEnd(RESTORE, Type.Object({ job: Id })),
  delete: defineEnd(DELETE, NOTHING)
} as const satisfies Record<keyof typeof WORKSPACE_TRANSITIONS, EndKind>
export const REFRESH_END = defineEnd(REFRESH, NOTHING)

export type TransitionKey = keyof typeof WORKSPACE_ENDS
export type Noted<Key extends TransitionKey> = Static<(typeof WORKSPACE_ENDS)[Key]['noted']>

/** Kinds of events that end a transient state of a workspace. */
export const END_EVENTS = [...Object.values(WORKSPACE_ENDS), REFRESH_END].map(eventOf)
export const WORKSPACE_ENDINGS = END_EVENTS.map(({ name }) => name)

// Guards have ids, by which a profile names them.

/** An update, in guard ids. */
export const UPDATE = 'an update'
/** A call that needs a running server, in guard ids. */
export const USERS = 'a call about its users'

/** Guard id for an action that a state does not allow. */
export const guardId = (action: string, state: string) => `${action} in ${state}`

/** Guard id for an action that only a read-write workspace allows. */
export const readOnlyGuardId = (verb: string) => `${verb} of a read-only workspace`

/** The guard ids of an action that only some states of a workspace allow. */
export function guardIdsOf(action: string, allowed: readonly WorkspaceState[]): string[] {
  return (Object.keys(WORKSPACE_STATES) as WorkspaceState[])
    .filter((state) => !allowed.includes(state))
    .map((state) => guardId(action, state))
}

/** The ids of all guards by which the state of a workspace can refuse an operation. */
export const WORKSPACE_GUARDS: readonly string[] = [
  ...Object.values<StatusTransition>(WORKSPACE_TRANSITIONS).flatMap(({ name, operation, from, noopFrom }) =>
    operation === undefined ? [] : guardIdsOf(name, [...from, ...noopFrom])
  ),
  // In a state without updates, the size is not checked.
  ...guardIdsOf(RESIZE.name, [...RESIZE.from, ...RESIZABLE_AT_ONCE]).filter((id) =>
    UPDATABLE.some((state) => id === guardId(RESIZE.name, state))
  ),
  ...guardIdsOf(REFRESH.name, REFRESHABLE),
  ...guardIdsOf(UPDATE, UPDATABLE),
  ...guardIdsOf(USERS, RUNNING),
  ...['resized', 'restored'].map(readOnlyGuardId)
]
