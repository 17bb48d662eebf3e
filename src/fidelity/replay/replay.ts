import { OPERATION_ROUTES } from '../../interface/operation-routes.js'
import { isReading } from '../../lib/is-reading.js'
import { isObject, listOf, objectOf } from '../../lib/json.js'
import { isLeftOut } from '../../profile/omit.js'
import { type Call, isAboutTheSame } from '../api.js'
import { comparableOf } from '../comparables.js'
import { compareReplies, type Comparison, INCOMPARABLE } from '../comparison.js'
import { type Exchange, saysNothing } from '../exchange.js'
import { mayHaveCredential } from '../headers.js'
import { isKnownPath, meaningOf } from '../meaning.js'
import type { Called } from '../sights.js'
import { TOLERANCE_MS } from '../timing.js'
import type { OwnReply } from '../twin.js'
import { edit } from './adoption.js'
import { conclude, isReplyUnknown } from './conclude.js'
import { repair } from './repairs.js'
import type { Session } from './session.js'
import { noteBeginnings } from './states.js'

/** Statuses of requests that had no effect where they were sent: they were sent elsewhere or too often. */
const WITHOUT_EFFECT: readonly unknown[] = [301, 307, 308, 429]

/** Whether an exchange lacks a body that a comparison needs. For a refusal, the status is enough. */
const isIncomplete = (exchange: Exchange, { operation }: Call) =>
  (exchange.isBodyOmitted === true &&
    exchange.requestBody === undefined &&
    OPERATION_ROUTES[operation].hasBody === true) ||
  (isReplyUnknown(exchange) && exchange.status! < 400)

const isRead = ({ method }: Exchange) => isReading(method)

/** Whether fetch() can send a method. */
const canSend = ({ method }: Exchange) => /^[\w-]+$/.test(method) && !['CONNECT', 'TRACE', 'TRACK'].includes(method)

/** Maximum number of repairs for one exchange. */
const MOST_TRIES = 20

/**
 * Replays exchanges with a service in the mock, and notes on what both agree.
 * @param service its exchanges, in the order in which they were sent
 * @param onExchange called after each
 */
export async function replay(
  session: Session,
  service: { readonly basePath: string; readonly exchanges: readonly Exchange[]; readonly calls: readonly Called[] },
  onExchange?: (done: number, all: number) => void
) {
  const { api, bindings, profile, twin } = session
  const { basePath, exchanges, calls } = service
  const changes = calls.filter(({ exchange }) => !isRead(exchange))
  const counts = {
    compared: 0,
    /** Their credential was refused; the mock accepts every credential. */
    refused: 0,
    /** The service failed, or did not reply. */
    unanswered: 0,
    /** They do not belong to the interface. */
    foreign: 0,
    /** They lack a body that a comparison needs. */
    incomplete: 0
  }
  /** Methods and paths that only the service has. */
  const further = new Set<string>()
  /** Requests that the mock refuses, and to which the service replied with a failure. */
  const refusals: (Called & { readonly ours: OwnReply })[] = []
  let knowsOrgUsers = false
  for (const [index, exchange] of exchanges.entries()) {
    await step(exchange)
    onExchange?.(index + 1, exchanges.length)
  }
  concludeRefusals()
  return { counts, further }

  /** Replays an exchange. Call it in the order in which the exchanges were sent. */
  async function step(exchange: Exchange): Promise<void> {
    const call = api.recognise(exchange)
    if (call === undefined && !canSend(exchange)) {
      counts.foreign++
      return
    }
    if (call !== undefined && isIncomplete(exchange, call)) {
      counts.incomplete++
      if (saysNothing(exchange) || exchange.status! < 400) distrustEffect(exchange, call)
      return
    }
    if (saysNothing(exchange)) {
      counts.unanswered++
      if (call === undefined || (isRefusedAsFailure(exchange) && (await isRefusedByBoth(exchange, call)))) return
      distrustEffect(exchange, call)
      return
    }
    if (exchange.status === 401 && mayHaveCredential(exchange.requestHeaders)) {
      counts.refused++
      return
    }
    counts.compared++
    await twin.moveTo(exchange.sent - TOLERANCE_MS)
    if (call === undefined) await replayOther(exchange)
    else if (!isRead(exchange) || !isDuringChange(exchange, call)) await replayCall(exchange, call)
  }

  /** Whether nothing shows if the service did a read before or after a change. */
  function isDuringChange({ sent, answered }: Exchange, { params }: Call): boolean {
    return changes.some(
      ({ exchange, call }) =>
        exchange.sent < answered && exchange.answered > sent && isAboutTheSame(call.params, params)
    )
  }

  /** Marks the resources of a request whose effect is unknown. */
  function distrustEffect(exchange: Exchange, call: Call): void {
    if (isRead(exchange) || WITHOUT_EFFECT.includes(exchange.status)) return
    session.distrust(call)
    if (call.operation === 'updateOrgUserRoles') knowsOrgUsers = false
  }

  /** Whether a failure may be a refusal, because its envelope has error details. */
  function isRefusedAsFailure({ status, body }: Exchange): boolean {
    return status === 500 && listOf(session.fieldOf(body, 'ErrorDetails')).length > 0
  }

  /** Whether the mock, too, refuses a request to which the service replied with a failure. */
  async function isRefusedByBoth(exchange: Exchange, call: Call): Promise<boolean> {
    const goBack = isRead(exchange) ? undefined : await remember()
    await session.twin.moveTo(exchange.sent - TOLERANCE_MS)
    const ours = await session.send(exchange, call)
    if (ours.status >= 400) refusals.push({ exchange, call, ours })
    else await goBack?.()
    return ours.status >= 400
  }

  /**
   * Compares failures as refusals, unless the service has also refused such a request in another way: then it may
   * really have failed. Call it at the end.
   */
  function concludeRefusals(): void {
    const isOtherwise = ({ call, ours }: (typeof refusals)[number]) =>
      session.facts.entries.some(
        ({ key }) => key.aspect === 'error type' && key.operation === call.operation && key.condition === ours.condition
      )
    for (const { exchange, call, ours } of refusals.filter((one) => !isOtherwise(one))) {
      counts.unanswered--
      counts.compared++
      conclude(session, exchange, call, ours, compareWith(exchange, call, ours))
    }
  }

  /** A path or a method that the interface does not have. */
  async function replayOther(exchange: Exchange): Promise<void> {
    const path = exchange.path.slice(basePath.length)
    const ours = await session.twin.send(exchange, { path }, exchange.requestBody)
    if (!isKnownPath(exchange)) conclude(session, exchange, undefined, ours)
    else if (ours.status >= 400) further.add(`${exchange.method} ${path}`)
  }

  async function replayCall(exchange: Exchange, call: Call): Promise<void> {
    if (call.operation === 'listOrgUsers' && exchange.status! < 400 && !knowsOrgUsers) {
      knowsOrgUsers = true
      const users = session.resultIn(exchange.body)
      if (Array.isArray(users))
        await edit(session, exchange, (writer) => writer.replaceOrgUsers(users.filter(isObject)))
    }
    const isRefused = exchange.status! >= 400
    const goBack = !isRead(exchange) && isRefused ? await remember() : undefined
    let ours = await session.send(exchange, call)
    let comparison = compareWith(exchange, call, ours)
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      // A change that the service refused must have no effect.
      const isUndone = isRefused && ours.status < 400
      if (isUndone) await goBack?.()
      if (!(await repair(session, exchange, call, ours, comparison))) break
      const isRepeatable = isRead(exchange) || isUndone || ours.status >= 400
      ours = isRepeatable ? await session.send(exchange, call) : await reread(call, ours)
      comparison = compareWith(exchange, call, ours)
    }
    if (!isInconclusive(exchange, call, ours)) conclude(session, exchange, call, ours, comparison)
    if (!isRefused) await noteBeginnings(session, exchange, call, ours)
    // The service has deleted the workgroup with its contents.
    if (!isRefused && ours.status >= 400 && call.operation === 'deleteWorkgroup')
      await edit(session, exchange, (writer) => writer.remove([session.oursFor(call.params['workgroupID']!)]))
    await catchUp(exchange, comparison)
  }

  /** Whether a difference may be due to something that no reply has shown. */
  function isInconclusive(exchange: Exchange, call: Call, ours: OwnReply): boolean {
    const workspace = session.oursFor(call.params['workspaceID'] ?? '')
    if (session.unsure.has(workspace)) return true
    const isOtherwise = ours.status < 400 || ours.condition === 'notFound'
    if (isOtherwise && meaningOf(exchange) === 'notAllowed' && session.isHidden(exchange, call)) return true
    return ours.status !== exchange.status && (session.isVague(call.params) || session.unwatched.has(workspace))
  }

  /** @returns a function that undoes what happens from now on */
  async function remember(): Promise<() => Promise<void>> {
    const [restoreSandbox, restoreBindings] = [await twin.remember(), bindings.remember()]
    return async () => {
      restoreBindings()
      await restoreSandbox()
    }
  }

  function compareWith(exchange: Exchange, call: Call, ours: OwnReply): Comparison {
    const isComparable = ours.status < 400 === exchange.status! < 400
    if (isComparable && ours.status < 400) session.trust(exchange, call)
    if (!isComparable || isReplyUnknown(exchange)) return INCOMPARABLE
    return compareReplies(session, exchange, call, ours.body)
  }

  /** The reply to a change as it would be now, after a repair. */
  async function reread({ operation, path }: Call, before: OwnReply): Promise<OwnReply> {
    const { toWire, fromWire } = profile.names.fields
    const result = session.resultIn(before.body)
    if (!isObject(result)) return before
    const own = session.ownPath(path)
    const id = session.fieldOf(result, operation === 'createWorkspace' ? 'workspace_id' : 'workgroup_id')
    const now = await twin.read(operation.startsWith('create') ? `${own}/${String(id)}` : own)
    if (now.status >= 400) return before
    const read = objectOf(session.resultIn(now.body))
    const omitted = profile.omitted.get(api.nameOf(api.resultSchema(operation)) ?? '')
    const state = { status: session.fieldOf(read, 'status') }
    const shown = Object.entries(read).filter(([field]) => !isLeftOut(omitted?.get(fromWire(field)), state, operation))
    // Replies to updates have another `workgroup_name` than reads.
    const name = toWire('workgroup_name')
    const changed = { ...Object.fromEntries(shown), ...(name in result && { [name]: result[name] }) }
    const hasEnvelope = session.hasEnvelope(before.body)
    return { ...before, body: hasEnvelope ? { ...before.body, [toWire('Result')]: changed } : changed }
  }

  /** Makes the mock like the service, so that each difference is noted only once. */
  async function catchUp(exchange: Exchange, comparison: Comparison): Promise<void> {
    const { states, onlyOurs, onlyTheirs, otherValues } = comparison
    const apart = states.flatMap(({ kind, ours, state, word }) => {
      const theirs = session.states.stateOf(kind, word)
      const id = session.fieldOf(ours, 'workspace_id')
      return theirs === undefined || theirs === state || typeof id !== 'string' ? [] : [{ kind, id, state: theirs }]
    })
    // A workspace without an entry among the sizes still exists.
    const gone = onlyOurs.flatMap(({ schema, item }) => {
      const { carried, identity = '' } = comparableOf(schema)
      return carried === undefined ? [] : [session.textOf(item, identity)]
    })
    // One by one, because the mock rejects an edit as a whole if it refuses a value that cannot be removed.
    if (apart.length > 0) await edit(session, exchange, (writer) => apart.forEach((one) => writer.setState(one)))
    if (otherValues.length > 0)
      await edit(session, exchange, (writer) => otherValues.forEach((one) => writer.setValue(one)))
    if (onlyTheirs.length > 0) await edit(session, exchange, (writer) => writer.addAll(onlyTheirs))
    if (gone.length > 0) await edit(session, exchange, (writer) => writer.remove(gone))
  }
}
