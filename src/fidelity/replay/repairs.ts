import { isObject, type Json, textOf } from '../../lib/json.js'
import { parseTimestamp } from '../../lib/time.js'
import { UNFINISHED_JOB } from '../../resources/backups/lifecycle.js'
import { AUTO_START_FIELD, AUTO_STOP_FIELD } from '../../resources/workspaces/fields.js'
import { AUTO_STOP, REFRESH, WORKSPACE_TRANSITIONS } from '../../resources/workspaces/lifecycle.js'
import { DELETED, type Transition } from '../../sim/state-machine.js'
import type { Call } from '../api.js'
import type { Comparison, StatePair } from '../comparison.js'
import type { Exchange } from '../exchange.js'
import { saysUnknown } from '../meaning.js'
import { instantOf, TOLERANCE_MS } from '../timing.js'
import type { OwnReply } from '../twin.js'
import { adoptPath, edit } from './adoption.js'
import type { Session } from './session.js'
import { runningIn, TRANSITIONS } from './states.js'

const { pause: PAUSE, resume: RESUME, resize: RESIZE, restore: RESTORE, delete: REMOVAL } = WORKSPACE_TRANSITIONS

/**
 * Changes the mock once so that its reply comes closer to that of the service, in a way that assumptions permit: ends a
 * transition, lets time pass until the reply, or adopts a resource.
 * @returns whether anything has changed
 */
export async function repair(
  session: Session,
  exchange: Exchange,
  call: Call,
  ours: OwnReply,
  comparison: Comparison
): Promise<boolean> {
  const [isOurs, isTheirs] = [ours.status < 400, exchange.status! < 400]
  if (isOurs && isTheirs) {
    for (const pair of comparison.states) if (await repairState(session, exchange, call, pair)) return true
    const { onlyOurs, onlyTheirs } = comparison
    if (onlyOurs.length + onlyTheirs.length > 0 && (await waitForLists(session, exchange, comparison))) return true
    return onlyTheirs.length > 0 && edit(session, exchange, (writer) => writer.addAll(onlyTheirs))
  }
  if (isOurs === isTheirs) {
    if (ours.condition !== 'notFound') return endInScope(session, exchange, call, false)
    return !saysUnknown(session.profile, exchange, call) && adoptPath(session, exchange, call)
  }
  if (isTheirs && session.twin.time < exchange.answered) {
    await session.twin.moveTo(exchange.answered)
    return true
  }
  // No transition hides a resource.
  const canEnd = !(isTheirs && ours.condition === 'notFound')
  if (canEnd && (await endInScope(session, exchange, call, isTheirs))) return true
  return isTheirs && adoptPath(session, exchange, call)
}

/** Ends a transition that makes the mock refuse a request, or that removes the resource before the service refuses. */
async function endInScope(session: Session, exchange: Exchange, call: Call, isAccepted: boolean): Promise<boolean> {
  if (!isAccepted && !saysUnknown(session.profile, exchange, call)) return false
  const isOfOne = call.params['workspaceID'] !== undefined
  const workspaces = await workspacesInScope(session, call)
  const held = (await session.twin.events()).find(
    ({ held, resource_id: id, event }) =>
      held &&
      workspaces.includes(id) &&
      // Only the removal of a workspace delays that of its workgroup or database.
      (isOfOne && isAccepted ? event !== 'backup.run' : event === REMOVAL.name)
  )
  if (held === undefined) return false
  const { event, resource_id: id } = held
  const isOld = session.hasPassed(event, id, exchange)
  await session.end(exchange, event as (typeof REMOVAL)['name'], id)
  if (isOld && (await autoStopOf(session, id)) !== undefined) session.unwatched.add(id)
  return true
}

async function autoStopOf(session: Session, workspace: unknown) {
  const events = await session.twin.events()
  return events.find(({ event, resource_id: resource }) => event === AUTO_STOP.name && resource === workspace)
}

async function workspacesInScope(session: Session, { params }: Call): Promise<readonly string[]> {
  const { workspaceID, workgroupID } = params
  if (workspaceID !== undefined) return [session.oursFor(workspaceID)]
  return workgroupID === undefined ? [] : session.twin.workspacesOf(session.oursFor(workgroupID))
}

/** Brings a resource of the mock into the state that the service shows, if assumptions permit it. */
async function repairState(session: Session, exchange: Exchange, call: Call, pair: StatePair): Promise<boolean> {
  const { kind, ours, state, word } = pair
  const { states } = session
  const theirs = states.stateOf(kind, word)
  if (theirs === state) return false
  const resource = workspaceOf(session, call, pair)
  const id = session.textOf(ours, 'workspace_id')
  if (kind === 'workspace' && session.unsure.delete(id) && theirs !== undefined) return setState(theirs)
  const running = runningIn(kind, state)
  if (running !== undefined && resource !== undefined) {
    const isOld = session.hasPassed(running.name, resource, exchange)
    const end = running.name === PAUSE.name ? pausedAs(session, ours) : running.to[0]
    const isEnd =
      theirs === undefined
        ? (isOld || states.isBound(kind, state)) && (end === undefined || states.bind(kind, end, word))
        : leadsTo(kind, running, theirs) || (isOld && hasLedTo(kind, running, theirs))
    // A transition that only the mock has begun, by itself, cannot have failed in the service.
    const hasBegun = session.timing.isKnown(
      running.name,
      kind === 'backup' ? String(session.fieldOf(ours, 'id')) : resource
    )
    if (isEnd || (theirs === running.failsTo && (hasBegun || kind !== 'workspace'))) {
      const hasFailed = !isEnd || (running.name === RESIZE.name && hasKeptSize(session, pair))
      if (kind === 'backup') await endBackup(session, exchange, pair, resource, hasFailed)
      else await session.end(exchange, running.name, resource, hasFailed)
      return true
    }
  }
  if (kind === 'restore_job' && UNFINISHED_JOB.includes(state) && resource !== undefined) {
    if (theirs !== undefined && UNFINISHED_JOB.includes(theirs)) return false
    if (theirs !== undefined || (states.isBound(kind, state) && states.bind(kind, 'Succeeded', word))) {
      await session.end(exchange, RESTORE.name, resource, theirs === 'Failed')
      return true
    }
  }
  if (theirs === undefined) return !states.isBound(kind, state) && states.bind(kind, state, word)
  // The mock held it until it was interrupted; it may have ended before that.
  if (kind === 'refresh' && theirs === REFRESH.to[0] && session.timing.isKnown(REFRESH.name, id))
    return setState(theirs)
  if (session.twin.time < exchange.answered + TOLERANCE_MS) {
    await session.twin.moveTo(exchange.answered + TOLERANCE_MS)
    return true
  }
  if (kind !== 'workspace') return false
  if (await stopEarlier(session, exchange, ours, theirs)) return true
  const isUnknown = session.isVague(paramsOf(session, ours)) || mayHaveStopped(session, ours, theirs)
  return isUnknown && setState(theirs)

  function setState(shown: string): Promise<boolean> {
    return edit(session, exchange, (writer) => writer.setState({ kind, id, state: shown }))
  }
}

/** Ends a backup, which began at its time. */
async function endBackup(
  session: Session,
  exchange: Exchange,
  { ours, theirs }: StatePair,
  workspace: string,
  hasFailed: boolean
): Promise<void> {
  const time = instantOf(session.fieldOf(theirs, 'time'))
  const id = String(session.fieldOf(ours, 'id'))
  if (time !== undefined) session.timing.beginUnlessKnown('backup.run', id, { sent: time, answered: time })
  await session.end(exchange, 'backup.run', workspace, hasFailed, id)
}

/** Whether the service shows, after a resize, the size that the mock has before it. */
function hasKeptSize(session: Session, { ours, theirs }: StatePair): boolean {
  const sizeOf = (workspace: Json) => {
    const type = session.fieldOf(workspace, 'workspace_type')
    return [isObject(type) && session.fieldOf(type, 'typeName'), session.fieldOf(workspace, 'enable_ha')].join(' ')
  }
  return sizeOf(ours) === sizeOf(theirs)
}

/** Whether a state can follow a transition, directly or as the beginning of another one. */
const leadsTo = (kind: StatePair['kind'], { to }: Pick<Transition, 'to'>, state: string) =>
  to.includes(state) ||
  (to.length === 0 && state === DELETED) ||
  (runningIn(kind, state)?.from ?? []).some((from) => to.includes(from))

/** Whether another transition may have followed, and ended in a state, while the client did not look. */
const hasLedTo = (kind: StatePair['kind'], { to, failsTo }: Transition, state: string) =>
  state !== failsTo &&
  TRANSITIONS[kind].some((next) => next.to.includes(state) && next.from.some((from) => to.includes(from)))

const pausedAs = (session: Session, workspace: Json) =>
  session.fieldOf(workspace, AUTO_START_FIELD) === true ? 'Idle' : 'Stopped'

/** Whether a state is that during a pause, or one after it. */
const isOfPause = (state: string) => state === PAUSE.during || (PAUSE.to as readonly string[]).includes(state)

/** An auto-stop may be slightly earlier in the service, which was Active before a reply showed it. */
async function stopEarlier(
  session: Session,
  { answered }: Exchange,
  workspace: Json,
  theirs: string
): Promise<boolean> {
  if (!isOfPause(theirs)) return false
  const stop = await autoStopOf(session, session.fieldOf(workspace, 'workspace_id'))
  const at = parseTimestamp(stop?.due ?? '') ?? Infinity
  if (at - answered > session.blur + TOLERANCE_MS) return false
  await session.twin.moveTo(at)
  return true
}

/**
 * Whether an auto-stop may have led to a state: nothing shows when an adopted workspace was last active, or what one
 * did after a transition whose end no reply has shown.
 */
function mayHaveStopped(session: Session, workspace: Json, theirs: string): boolean {
  const id = session.textOf(workspace, 'workspace_id')
  if (theirs === RESUME.during) return session.unwatched.has(id)
  return isOfPause(theirs) && session.adopted.has(id) && Number(session.fieldOf(workspace, AUTO_STOP_FIELD)) > 0
}

/** The mock's id of the workspace to which a state belongs. */
function workspaceOf(session: Session, { params }: Call, { kind, ours }: StatePair): string | undefined {
  if (kind === 'workspace' || kind === 'refresh') return textOf(session.fieldOf(ours, 'workspace_id'))
  return params['workspaceID'] === undefined ? undefined : session.oursFor(params['workspaceID'])
}

/** Ends the removal of a workspace that only the mock lists, or lets time pass until the reply. */
async function waitForLists(session: Session, exchange: Exchange, { onlyOurs }: Comparison): Promise<boolean> {
  const events = await session.twin.events()
  for (const { schema, item } of onlyOurs) {
    const id = session.fieldOf(item, 'workspace_id')
    const isGoing = events.some(({ event, resource_id: resource }) => event === REMOVAL.name && resource === id)
    if (schema !== 'Workspace' || !isGoing) continue
    await session.end(exchange, REMOVAL.name, String(id))
    return true
  }
  if (session.twin.time >= exchange.answered + TOLERANCE_MS) return false
  await session.twin.moveTo(exchange.answered + TOLERANCE_MS)
  return true
}

/** The service's ids of a resource, as path parameters. */
function paramsOf(session: Session, item: Json): Record<string, string> {
  const [workgroup, workspace] = [session.fieldOf(item, 'workgroup_id'), session.fieldOf(item, 'workspace_id')]
  return {
    ...(typeof workgroup === 'string' ? { workgroupID: session.theirsFor(workgroup) } : {}),
    ...(typeof workspace === 'string' ? { workspaceID: session.theirsFor(workspace) } : {})
  }
}
