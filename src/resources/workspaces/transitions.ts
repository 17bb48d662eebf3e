import { fieldNotAllowed, ServiceError } from '../../interface/errors.js'
import { canResizeTo } from '../../profile/catalogue.js'
import type { Profile } from '../../profile/profile.js'
import type { Ending, Engine } from '../../sim/engine.js'
import { DELETED } from '../../sim/state-machine.js'
import { REQUESTABLE } from '../states.js'
import type { Tx } from '../tx.js'
import { newWorkspace, type WorkspaceRecord } from './fields.js'
import {
  AUTO_STOP,
  CREATE,
  DELETE,
  END_EVENTS,
  guardId,
  type Noted,
  PAUSE,
  readOnlyGuardId,
  REFRESH,
  REFRESH_END,
  RESIZABLE_AT_ONCE,
  RESIZE,
  RESTORE,
  RESUME,
  SERVING,
  type StatusTransition,
  type TransitionKey,
  UPDATABLE,
  UPDATE,
  WORKSPACE_ENDS,
  WORKSPACE_TRANSITIONS,
  type WorkspaceState
} from './lifecycle.js'

const MINUTE = 60_000

/** The work at the end of a successful transition. */
type Completion<Key extends TransitionKey> = (tx: Tx, workspace: WorkspaceRecord, noted: Noted<Key>) => void
type AnyCompletion = (tx: Tx, workspace: WorkspaceRecord, noted: Ending['payload']) => void

/** How workspaces change over time. Every method must be called within a write. */
export class WorkspaceLifecycle {
  observer!: {
    /** A restore has ended, successfully or not. */
    readonly restored: (tx: Tx, ending: Ending<Noted<'restore'>>) => void
    /** A transition interrupts everything that runs on the workspace. */
    readonly interrupted: (tx: Tx, transition: StatusTransition, workspace: string) => void
  }

  /** Only of transitions that do more than go on to their one next state. */
  readonly #completions: { readonly [Key in TransitionKey]?: Completion<Key> } = {
    pause: (tx, workspace) => this.#setStatus(tx, PAUSE, workspace, workspace.enableAutoStart ? 'Idle' : 'Stopped'),
    resume: (tx, workspace, { thenType: typeName = workspace.typeName }) => {
      this.#setStatus(tx, RESUME, workspace, 'Active')
      // This was requested before, in another state.
      if (typeName !== workspace.typeName) this.#begin(tx, RESIZE, tx.workspaces.find(workspace.id)!, { typeName })
    },
    resize: (tx, workspace, size) => this.#setStatus(tx, RESIZE, { ...workspace, ...size }, 'Active'),
    delete: (tx, workspace) => this.#remove(tx, workspace)
  }

  constructor(engine: Engine<Tx>) {
    for (const key of Object.keys(WORKSPACE_ENDS) as TransitionKey[]) {
      const complete = this.#completions[key] as AnyCompletion | undefined
      engine.onEnd(WORKSPACE_ENDS[key], (tx, ending) => this.#end(tx, WORKSPACE_TRANSITIONS[key], complete, ending))
    }
    engine.onEnd(REFRESH_END, (tx, ending) => this.#endRefresh(tx, ending))
    engine.onEvent(AUTO_STOP, (tx, { resource }) => this.#begin(tx, PAUSE, tx.workspaces.find(resource)!))
  }

  /** Stores a new workspace and starts to provision it. @returns its state afterwards */
  create(tx: Tx, given: Parameters<typeof newWorkspace>[1]): WorkspaceRecord {
    const workspace = newWorkspace(tx, { ...given, status: CREATE.during })
    const { id } = workspace
    tx.workspaces.insert(workspace)
    tx.note({ resource: id, transition: CREATE.name, attribute: 'status', from: null, to: CREATE.during, reason: null })
    const end = tx.begin(CREATE, id)
    // A transition that takes no time has already ended, and changed the workspace.
    return end > tx.now ? workspace : tx.workspaces.find(id)!
  }

  /**
   * Schedules events for a workspace that was loaded in its current state, as if it had just entered it, except those
   * of a restore, which the backups schedule.
   */
  scheduleFromState(tx: Tx, workspace: WorkspaceRecord): void {
    if (workspace.refreshStatus === REFRESH.during) tx.begin(REFRESH, workspace.id)
    const transition = Object.values<StatusTransition>(WORKSPACE_TRANSITIONS).find(
      ({ during }) => during === workspace.status
    )
    // A refresh that takes no time has changed it.
    if (transition === undefined) this.#planAutoStop(tx, tx.workspaces.find(workspace.id)!)
    else if (transition.name !== RESTORE.name) tx.begin(transition, workspace.id)
  }

  /**
   * Starts a requested transition, unless the workspace is in the state it leads to, or on its way there.
   * @param refusesRepeats whether such a repeated request is refused as well
   * @throws {ServiceError} if the state of the workspace does not allow it
   */
  start(tx: Tx, transition: StatusTransition, workspace: WorkspaceRecord, refusesRepeats = false): void {
    if (!refusesRepeats && isAlready(transition, workspace)) return
    guard(tx.profile, transition.name, requestableIn(tx.profile, transition), workspace)
    this.#begin(tx, transition, workspace)
  }

  /** Pauses a workspace, unless it is paused already. Used by schedules. @throws {ServiceError} in other states */
  ensurePaused(tx: Tx, workspace: WorkspaceRecord): void {
    if (isAlready(PAUSE, workspace)) return
    guard(tx.profile, PAUSE.name, PAUSE.from, workspace)
    this.#begin(tx, PAUSE, workspace)
  }

  /**
   * Takes a workspace out of service for a restore job.
   * @returns when the restore ends, in milliseconds since 1970; `Infinity` while it is held
   */
  restore(tx: Tx, workspace: WorkspaceRecord, payload: Record<string, unknown>): number {
    return this.#begin(tx, RESTORE, workspace, payload)
  }

  /**
   * Makes sure that a workspace runs with a type, starting it first if necessary. Used by schedules.
   * @throws {ServiceError} if it must be resized but is read-only, no workspace can be resized to that type, or its
   * state does not allow it
   */
  ensureRunningAs(tx: Tx, workspace: WorkspaceRecord, typeName: string): void {
    requireResizable(tx, workspace, typeName)
    if (workspace.typeName !== typeName) requireReadWrite(workspace, 'resized')
    if (workspace.status !== 'Active') {
      guard(tx.profile, RESUME.name, [...RESUME.from, 'Active'], workspace)
      this.#begin(tx, RESUME, workspace, { thenType: typeName })
    } else if (workspace.typeName !== typeName) {
      this.#begin(tx, RESIZE, workspace, { typeName, enableHa: workspace.enableHa })
    }
  }

  /**
   * Records data-plane activity, which postpones the auto-stop of an active workspace, or starts an idle one.
   * @throws {ServiceError} in a state in which a workspace does not serve
   */
  noteActivity(tx: Tx, workspace: WorkspaceRecord): void {
    guard(tx.profile, 'data-plane activity', SERVING, workspace)
    if (workspace.status === 'Idle') {
      this.#begin(tx, RESUME, workspace)
      return
    }
    const active = { ...workspace, lastActive: tx.now }
    tx.workspaces.save(active)
    this.#planAutoStop(tx, active)
  }

  /** Starts a refresh, unless one runs. @throws {ServiceError} in a state that does not allow it */
  refresh(tx: Tx, workspace: WorkspaceRecord): void {
    if (REFRESH.noopFrom.includes(workspace.refreshStatus as never)) return
    guard(tx.profile, REFRESH.name, requestableIn(tx.profile, REFRESH), workspace)
    this.#setRefresh(tx, workspace, REFRESH.during, '')
    tx.begin(REFRESH, workspace.id)
  }

  /**
   * Applies an update: changes the settings, and the size of a stopped workspace, at once; resizes an active one over
   * time; then pauses or resumes it.
   * @throws {ServiceError} if any part of it is not allowed
   */
  update(tx: Tx, workspace: WorkspaceRecord, changes: Partial<WorkspaceRecord>, pause?: boolean): void {
    const { typeName = workspace.typeName, enableHa = workspace.enableHa, ...settings } = changes
    guard(tx.profile, UPDATE, UPDATABLE, workspace)
    requireResizable(tx, workspace, typeName)
    const changed = { ...workspace, ...settings, lastModifiedTime: tx.timestamp }
    tx.workspaces.save(changed)
    if (typeName !== workspace.typeName || enableHa !== workspace.enableHa)
      this.#resize(tx, changed, { typeName, enableHa })
    if (changed.autoStopMinutes !== workspace.autoStopMinutes) this.#planAutoStop(tx, tx.workspaces.find(workspace.id)!)
    if (pause === undefined) return
    const transition = pause ? PAUSE : RESUME
    // A client that sends all its settings also requests the state that the workspace is in, whatever its new size.
    if (isAlready(transition, workspace)) return
    const resized = tx.workspaces.find(workspace.id)!
    if (resized.status === RESIZE.during && workspace.status !== resized.status) {
      throw fieldNotAllowed(
        'pause',
        'cannot be combined with another size of an active workspace; pause it after the resize'
      )
    }
    this.start(tx, transition, resized)
  }

  #resize(tx: Tx, workspace: WorkspaceRecord, size: Pick<WorkspaceRecord, 'typeName' | 'enableHa'>): void {
    requireReadWrite(workspace, 'resized')
    guard(tx.profile, RESIZE.name, requestableIn(tx.profile, RESIZE), workspace)
    if (RESIZABLE_AT_ONCE.some((state) => state === workspace.status)) tx.workspaces.save({ ...workspace, ...size })
    else this.#begin(tx, RESIZE, workspace, size)
  }

  /** Reschedules the auto-stop of an active workspace according to its settings. */
  #planAutoStop(tx: Tx, workspace: WorkspaceRecord): void {
    const { id, status, autoStopMinutes, lastActive } = workspace
    tx.cancel(id, [AUTO_STOP])
    if (status !== 'Active' || autoStopMinutes === 0) return
    const due = lastActive + autoStopMinutes * MINUTE
    if (due <= tx.now) this.#begin(tx, PAUSE, workspace)
    else tx.schedule(AUTO_STOP, id, due, {})
  }

  #begin(
    tx: Tx,
    transition: StatusTransition,
    workspace: WorkspaceRecord,
    payload: Record<string, unknown> = {}
  ): number {
    const calm = this.#interruptRefresh(tx, workspace, transition)
    // Cancel the events of the state that it leaves.
    tx.cancel(workspace.id, [...END_EVENTS, AUTO_STOP])
    if (transition.name !== RESTORE.name) this.observer.interrupted(tx, transition, workspace.id)
    this.#setStatus(tx, transition, calm, transition.during)
    return tx.begin(transition, workspace.id, payload)
  }

  #end(tx: Tx, transition: StatusTransition, complete: AnyCompletion | undefined, ending: Ending): void {
    const workspace = tx.workspaces.find(ending.resource)!
    if (ending.failed) this.#setStatus(tx, transition, workspace, transition.failsTo, ending.reason)
    else if (complete === undefined) this.#setStatus(tx, transition, workspace, transition.to[0]!)
    else complete(tx, workspace, ending.payload)
    if (transition.name === RESTORE.name) this.observer.restored(tx, ending as Ending<Noted<'restore'>>)
  }

  /** Also removes its backups, its schedules and their events. */
  #remove(tx: Tx, workspace: WorkspaceRecord): void {
    const { id, status } = workspace
    tx.cancel(id)
    tx.workspaces.remove(id)
    const { readableFor } = tx.profile
    if (readableFor !== undefined) {
      const last = { ...workspace, status: DELETED, statusSince: tx.timestamp, lastModifiedTime: tx.timestamp }
      tx.deletedWorkspaces.add(last, tx.now, tx.now - readableFor)
    }
    tx.note({ resource: id, transition: DELETE.name, attribute: 'status', from: status, to: DELETED, reason: null })
  }

  #setStatus(
    tx: Tx,
    transition: StatusTransition,
    workspace: WorkspaceRecord,
    status: WorkspaceState,
    reason: string | null = null
  ): void {
    const isActive = status === 'Active'
    const next = {
      ...workspace,
      status,
      statusSince: tx.timestamp,
      lastModifiedTime: tx.timestamp,
      lastActive: isActive ? tx.now : workspace.lastActive
    }
    tx.workspaces.save(next)
    const { id, status: from } = workspace
    tx.note({ resource: id, transition: transition.name, attribute: 'status', from, to: status, reason })
    // It may have none from before: leaving a state cancels it.
    if (isActive && next.autoStopMinutes > 0) this.#planAutoStop(tx, next)
  }

  #endRefresh(tx: Tx, { resource, failed, reason }: Ending): void {
    const workspace = tx.workspaces.find(resource)!
    if (failed) this.#setRefresh(tx, workspace, REFRESH.failsTo, reason ?? '')
    else this.#setRefresh(tx, { ...workspace, snapshotTime: workspace.isRw ? null : tx.timestamp }, REFRESH.to[0]!, '')
  }

  #interruptRefresh(tx: Tx, workspace: WorkspaceRecord, by: StatusTransition): WorkspaceRecord {
    if (workspace.refreshStatus !== REFRESH.during) return workspace
    return this.#setRefresh(tx, workspace, REFRESH.failsTo, `Interrupted by ${by.name}.`)
  }

  #setRefresh(tx: Tx, workspace: WorkspaceRecord, refreshStatus: string, refreshMessage: string): WorkspaceRecord {
    const next = { ...workspace, refreshStatus, refreshMessage, lastModifiedTime: tx.timestamp }
    tx.workspaces.save(next)
    tx.note({
      resource: workspace.id,
      transition: REFRESH.name,
      attribute: 'refresh_status',
      from: workspace.refreshStatus,
      to: refreshStatus,
      reason: refreshMessage === '' ? null : refreshMessage
    })
    return next
  }
}

/** @throws {ServiceError} if a workspace is of another type, and cannot be resized to this one */
function requireResizable({ catalogue }: Tx, workspace: WorkspaceRecord, typeName: string): void {
  if (workspace.typeName !== typeName && !canResizeTo(catalogue, typeName))
    throw fieldNotAllowed('workspace_type_name', `${typeName} is not a type that a workspace can be resized to`)
}

function isAlready({ noopFrom }: StatusTransition, { status }: WorkspaceRecord): boolean {
  return noopFrom.includes(status as WorkspaceState)
}

/** The states of a workspace in which a transition can be requested, if the profile allows it. */
export const requestableIn = ({ allowed }: Pick<Profile, 'allowed'>, { name }: { readonly name: string }) =>
  REQUESTABLE.get(name)!.filter((state) => allowed.get(name)?.includes(state) !== false)

/** Checks the state of a workspace. @throws {ServiceError} naming the state and the allowed ones */
export function guard(
  { words }: Pick<Profile, 'words'>,
  name: string,
  possible: readonly string[],
  { id, status }: WorkspaceRecord
): void {
  if (possible.includes(status)) return
  const { toWire } = words.workspace
  const states =
    possible.length === 0 ? 'not possible in any state' : `possible only in ${possible.map(toWire).join(', ')}`
  throw new ServiceError(
    'notAllowed',
    `The workspace ${id} is ${toWire(status)}; ${name} is ${states}.`,
    [],
    guardId(name, status)
  )
}

/** Only a read-write workspace can be resized, backed up or restored (publicly documented). @throws {ServiceError} */
export function requireReadWrite({ isRw }: WorkspaceRecord, verb: string): void {
  if (!isRw)
    throw new ServiceError(
      'notAllowed',
      `Only a read-write workspace can be ${verb}; this one is read-only.`,
      [],
      readOnlyGuardId(verb)
    )
}
