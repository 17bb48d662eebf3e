import { fieldNotAllowed, ServiceError } from '../../interface/errors.js'
import { canResizeTo } from '../../profile/catalogue.js'
import type { Profile } from '../../profile/profile.js'
import type { Ending, Engine } from '../../sim/engine.js'
import { DELETED, type Transition } from '../../sim/state-machine.js'
import type { Tx } from '../tx.js'
import { newWorkspace, type WorkspaceRecord } from './fields.js'
import {
  AUTO_STOP,
  DELETE,
  END_EVENTS,
  guardId,
  type Noted,
  PAUSE,
  readOnlyGuardId,
  REFRESH,
  REFRESH_END,
  REFRESHABLE,
  RESIZABLE_AT_ONCE,
  RESIZE,
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
/** One of them, for a transition that the compiler does not know. */
type AnyCompletion = (tx: Tx, workspace: WorkspaceRecord, noted: Ending['payload']) => void

interface Size {
  readonly typeName: string
  readonly enableHa: boolean
}

/** Observes the transitions of workspaces. */
interface WorkspaceObserver {
  /** A restore has ended, successfully or not. */
  readonly restored: (tx: Tx, ending: Ending<Noted<'restore'>>) => void
  /** A transition starts, and interrupts the work running on the workspace. */
  readonly interrupted: (tx: Tx, transition: StatusTransition, workspace: string) => void
}

/** How workspaces change over time. Every method must be called within a write. */
export class WorkspaceLifecycle {
  readonly #observers: WorkspaceObserver[] = []

  /** The work at the end of each successful transition. */
  readonly #completions: { readonly [Key in TransitionKey]: Completion<Key> } = {
    create: (tx, workspace) => this.#setStatus(tx, WORKSPACE_TRANSITIONS.create, workspace, 'Active'),
    pause: (tx, workspace) => this.#setStatus(tx, PAUSE, workspace, workspace.enableAutoStart ? 'Idle' : 'Stopped'),
    resume: (tx, workspace, { thenType }) => {
      this.#setStatus(tx, RESUME, workspace, 'Active')
      if (thenType !== undefined) this.#ensureRunningAs(tx, tx.workspaces.find(workspace.id)!, thenType)
    },
    resize: (tx, workspace, size) => this.#setStatus(tx, RESIZE, { ...workspace, ...size }, 'Active'),
    restore: (tx, workspace) => this.#setStatus(tx, WORKSPACE_TRANSITIONS.restore, workspace, 'Active'),
    delete: (tx, workspace) => this.#remove(tx, workspace)
  }

  constructor(engine: Engine<Tx>) {
    for (const key of Object.keys(WORKSPACE_ENDS) as TransitionKey[]) this.#register(engine, key)
    engine.onEnd(REFRESH_END, (tx, ending) => this.#endRefresh(tx, ending))
    engine.onEvent(AUTO_STOP, (tx, { resource }) => this.start(tx, PAUSE, tx.workspaces.find(resource)!))
  }

  observe(observer: WorkspaceObserver): void {
    this.#observers.push(observer)
  }

  /** Stores a new workspace and starts to provision it. @returns its state afterwards */
  create(tx: Tx, given: Parameters<typeof newWorkspace>[1]): WorkspaceRecord {
    const { create } = WORKSPACE_TRANSITIONS
    const workspace = newWorkspace(tx, { ...given, status: create.during })
    tx.workspaces.insert(workspace)
    this.#note(tx, create, workspace.id, { attribute: 'status', from: null, to: create.during })
    const end = tx.begin(create, workspace.id)
    // A transition that takes no time has already ended, and changed the workspace.
    return end > tx.now ? workspace : tx.workspaces.find(workspace.id)!
  }

  /**
   * Schedules events for a workspace that was loaded in its current state, as if it had just entered it. The backups
   * handle the events of a restore.
   */
  scheduleFromState(tx: Tx, workspace: WorkspaceRecord): void {
    if (workspace.refreshStatus === REFRESH.during) tx.begin(REFRESH, workspace.id)
    const transition = Object.values<StatusTransition>(WORKSPACE_TRANSITIONS).find(
      ({ during }) => during === workspace.status
    )
    // A refresh that takes no time has changed it.
    if (transition === undefined) this.#planAutoStop(tx, tx.workspaces.find(workspace.id)!)
    else if (transition.name !== WORKSPACE_TRANSITIONS.restore.name) tx.begin(transition, workspace.id)
  }

  /**
   * Starts a transition that somebody asks for, unless the workspace is where it leads, or about to be.
   * @param refusesRepeats whether that is refused as well
   * @throws {ServiceError} if the state of the workspace does not allow it
   */
  start(tx: Tx, transition: StatusTransition, workspace: WorkspaceRecord, refusesRepeats = false): void {
    if (!refusesRepeats && isAlready(transition, workspace)) return
    guard(tx.profile, transition.name, transition.from, workspace)
    this.#begin(tx, transition, workspace)
  }

  /**
   * Takes a workspace out of service for a restore job.
   * @returns when it will end, in milliseconds since 1970; `Infinity` while it is held
   */
  restore(tx: Tx, workspace: WorkspaceRecord, payload: Record<string, unknown>): number {
    return this.#begin(tx, WORKSPACE_TRANSITIONS.restore, workspace, payload)
  }

  /**
   * Makes sure that a workspace runs with a type, starting it first if necessary. Used by schedules.
   * @throws {ServiceError} if it is read-only and of another type, if that type is not for resizes, or in a state that
   * does not allow it
   */
  ensureRunningAs(tx: Tx, workspace: WorkspaceRecord, typeName: string): void {
    requireResizable(tx, workspace, typeName)
    this.#ensureRunningAs(tx, workspace, typeName)
  }

  #ensureRunningAs(tx: Tx, workspace: WorkspaceRecord, typeName: string): void {
    if (workspace.status === 'Active' && workspace.typeName === typeName) return
    if (workspace.status === 'Active') this.#resize(tx, workspace, { typeName, enableHa: workspace.enableHa })
    else {
      requireReadWriteFor(typeName, workspace)
      guard(tx.profile, WORKSPACE_TRANSITIONS.resume.name, [...WORKSPACE_TRANSITIONS.resume.from, 'Active'], workspace)
      this.#begin(tx, WORKSPACE_TRANSITIONS.resume, workspace, { thenType: typeName })
    }
  }

  /**
   * Records data-plane activity, which postpones the auto-stop of an active workspace, or starts an idle one.
   * @throws {ServiceError} in a state in which a workspace does not serve
   */
  noteActivity(tx: Tx, workspace: WorkspaceRecord): void {
    guard(tx.profile, 'data-plane activity', SERVING, workspace)
    if (workspace.status === 'Idle') {
      this.start(tx, RESUME, workspace)
      return
    }
    const active = { ...workspace, lastActive: tx.now }
    tx.workspaces.save(active)
    this.#planAutoStop(tx, active)
  }

  /** Starts a refresh, unless one runs. @throws {ServiceError} in a state that does not allow it */
  refresh(tx: Tx, workspace: WorkspaceRecord): void {
    if (REFRESH.noopFrom.includes(workspace.refreshStatus as never)) return
    guard(tx.profile, REFRESH.name, REFRESHABLE, workspace)
    this.#setRefresh(tx, workspace, REFRESH.during, '')
    tx.begin(REFRESH, workspace.id)
  }

  /**
   * Applies an update: changes the settings, and the size of a stopped workspace, at once; resizes an active one over
   * time; then pauses or resumes it, depending on the state after the resize.
   * @throws {ServiceError} if any part of it is not allowed
   */
  update(tx: Tx, workspace: WorkspaceRecord, changes: Partial<WorkspaceRecord>, pause?: boolean): void {
    const { typeName = workspace.typeName, enableHa = workspace.enableHa, ...settings } = changes
    const size = { typeName, enableHa }
    guard(tx.profile, UPDATE, UPDATABLE, workspace)
    requireResizable(tx, workspace, size.typeName)
    const changed = {
      ...workspace,
      ...settings,
      lastModifiedTime: tx.timestamp
    }
    tx.workspaces.save(changed)
    if (size.typeName !== workspace.typeName || size.enableHa !== workspace.enableHa) this.#resize(tx, changed, size)
    if (changed.autoStopMinutes !== workspace.autoStopMinutes) this.#planAutoStop(tx, tx.workspaces.find(workspace.id)!)
    if (pause === undefined) return
    const transition = pause ? WORKSPACE_TRANSITIONS.pause : WORKSPACE_TRANSITIONS.resume
    // A client that sends all its settings requests the current state as well. Changing the size at the same time makes
    // no difference.
    if (isAlready(transition, workspace)) return
    const resized = tx.workspaces.find(workspace.id)!
    if (resized.status === WORKSPACE_TRANSITIONS.resize.during && workspace.status !== resized.status) {
      throw fieldNotAllowed(
        'pause',
        'cannot go with another size of an active workspace; pause it when the resize has ended'
      )
    }
    this.start(tx, transition, resized)
  }

  #resize(tx: Tx, workspace: WorkspaceRecord, size: Size): void {
    requireReadWrite(workspace, 'resized')
    const { resize } = WORKSPACE_TRANSITIONS
    guard(tx.profile, resize.name, [...resize.from, ...RESIZABLE_AT_ONCE], workspace)
    if (RESIZABLE_AT_ONCE.some((state) => state === workspace.status)) tx.workspaces.save({ ...workspace, ...size })
    else this.#begin(tx, resize, workspace, { ...size })
  }

  /** Reschedules the auto-stop of an active workspace according to its settings. */
  #planAutoStop(tx: Tx, workspace: WorkspaceRecord): void {
    const { id, status, autoStopMinutes, lastActive } = workspace
    tx.cancel(id, [AUTO_STOP])
    if (status !== 'Active' || autoStopMinutes === 0) return
    const due = lastActive + autoStopMinutes * MINUTE
    if (due <= tx.now) this.start(tx, PAUSE, workspace)
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
    if (transition.name !== WORKSPACE_TRANSITIONS.restore.name) {
      for (const { interrupted } of this.#observers) interrupted(tx, transition, workspace.id)
    }
    this.#setStatus(tx, transition, calm, transition.during)
    return tx.begin(transition, workspace.id, payload)
  }

  #register(engine: Engine<Tx>, key: TransitionKey): void {
    const transition = WORKSPACE_TRANSITIONS[key]
    const complete = this.#completions[key] as AnyCompletion
    engine.onEnd(WORKSPACE_ENDS[key], (tx, ending) => this.#end(tx, transition, complete, ending))
  }

  #end(tx: Tx, transition: StatusTransition, complete: AnyCompletion, ending: Ending): void {
    const workspace = tx.workspaces.find(ending.resource)!
    if (ending.failed) this.#setStatus(tx, transition, workspace, transition.failsTo, ending.reason)
    else complete(tx, workspace, ending.payload)
    if (transition.name !== WORKSPACE_TRANSITIONS.restore.name) return
    for (const { restored } of this.#observers) restored(tx, ending as Ending<Noted<'restore'>>)
  }

  /** Also removes its backups, its schedules and their events. */
  #remove(tx: Tx, workspace: WorkspaceRecord): void {
    const { id, status } = workspace
    tx.cancel(id)
    tx.workspaces.remove(id)
    const { readableFor } = tx.profile
    if (readableFor !== undefined) {
      const last = { ...workspace, status: DELETED, lastModifiedTime: tx.timestamp }
      tx.deletedWorkspaces.add(last, tx.now, tx.now - readableFor)
    }
    this.#note(tx, DELETE, id, { attribute: 'status', from: status, to: DELETED })
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
      lastModifiedTime: tx.timestamp,
      lastActive: isActive ? tx.now : workspace.lastActive
    }
    tx.workspaces.save(next)
    this.#note(tx, transition, workspace.id, { attribute: 'status', from: workspace.status, to: status, reason })
    if (isActive) this.#planAutoStop(tx, next)
  }

  #endRefresh(tx: Tx, { resource, failed, reason }: Ending): void {
    const workspace = tx.workspaces.find(resource)!
    if (failed) this.#setRefresh(tx, workspace, REFRESH.failsTo, reason ?? '')
    else this.#setRefresh(tx, { ...workspace, snapshotTime: workspace.isRw ? null : tx.timestamp }, REFRESH.to[0]!, '')
  }

  /** Another transition interrupts a refresh. */
  #interruptRefresh(tx: Tx, workspace: WorkspaceRecord, by: StatusTransition): WorkspaceRecord {
    if (workspace.refreshStatus !== REFRESH.during) return workspace
    return this.#setRefresh(tx, workspace, REFRESH.failsTo, `Interrupted by ${by.name}.`)
  }

  #setRefresh(tx: Tx, workspace: WorkspaceRecord, refreshStatus: string, refreshMessage: string): WorkspaceRecord {
    const next = { ...workspace, refreshStatus, refreshMessage, lastModifiedTime: tx.timestamp }
    tx.workspaces.save(next)
    const reason = refreshMessage === '' ? null : refreshMessage
    this.#note(tx, REFRESH, workspace.id, {
      attribute: 'refresh_status',
      from: workspace.refreshStatus,
      to: refreshStatus,
      reason
    })
    return next
  }

  #note(
    tx: Tx,
    { name }: Transition,
    resource: string,
    change: { attribute: string; from: string | null; to: string; reason?: string | null }
  ): void {
    tx.note({ resource, transition: name, reason: null, ...change })
  }
}

/** @throws {ServiceError} if a workspace is of another type, and cannot be resized to this one */
function requireResizable({ catalogue }: Tx, workspace: WorkspaceRecord, typeName: string): void {
  if (workspace.typeName !== typeName && !canResizeTo(catalogue, typeName))
    throw fieldNotAllowed('workspace_type_name', `${typeName} is no type that a workspace can be resized to`)
}

function isAlready({ noopFrom }: StatusTransition, { status }: WorkspaceRecord): boolean {
  return noopFrom.includes(status as WorkspaceState)
}

/**
 * Checks the state of a workspace.
 * @throws {ServiceError} naming the state and the allowed ones
 */
export function guard(
  { words, allowed }: Pick<Profile, 'words' | 'allowed'>,
  name: string,
  builtIn: readonly string[],
  { id, status }: WorkspaceRecord
): void {
  const own = allowed.get(name)
  const possible = own === undefined ? builtIn : builtIn.filter((state) => own.includes(state))
  if (possible.includes(status)) return
  const { toWire } = words.workspace
  const states = possible.map(toWire).join(', ')
  throw new ServiceError(
    'notAllowed',
    `The workspace ${id} is ${toWire(status)}; ${name} is possible only in ${states}.`,
    [],
    guardId(name, status)
  )
}

/**
 * @throws {ServiceError} if a workspace is read-only (publicly documented: such a workspace cannot be resized, backed
 * up or restored)
 */
export function requireReadWrite({ isRw }: WorkspaceRecord, verb: string): void {
  if (!isRw)
    throw new ServiceError(
      'notAllowed',
      `Only a read-write workspace can be ${verb}; this one is read-only.`,
      [],
      readOnlyGuardId(verb)
    )
}

/** @throws {ServiceError} if a workspace is read-only and of another type than this one */
export function requireReadWriteFor(typeName: string, workspace: WorkspaceRecord): void {
  if (workspace.typeName !== typeName) requireReadWrite(workspace, 'resized')
}
