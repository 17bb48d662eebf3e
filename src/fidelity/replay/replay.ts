import { OPERATION_IDS, type OperationId } from '../../interface/operation-ids.js'
import { OPERATION_ROUTES } from '../../interface/operation-routes.js'
import { isObject } from '../../lib/json.js'
import { type Call, isAboutTheSame } from '../api.js'
import { Comparison } from '../comparison.js'
import { mayHaveCredential } from '../credentials.js'
import type { Exchange } from '../exchange.js'
import type { Called } from '../sights.js'
import { TOLERANCE_MS } from '../timing.js'
import type { OwnReply } from '../twin.js'
import { edit } from './adoption.js'
import { conclude, isReplyUnknown } from './conclude.js'
import { repair } from './repairs.js'
import { resultOf, type Session } from './session.js'
import { noteBeginnings } from './states.js'
import { BEGUN_BY } from './transitions.js'

/** A reply that says nothing about what was asked: the request may have had an effect, or not. */
const saysNothing = ({ status }: Exchange) => status === null || status === 429 || status >= 500

/** Whether a service that says that it failed has refused in its own words: it may answer some requests like that. */
const isRefusedAsFailure = ({ status, body }: Exchange) =>
  status === 500 && isObject(body) && Array.isArray(body['ErrorDetails']) && body['ErrorDetails'].length > 0

/** Whether a request for an operation may have had a body that is not known. */
const isRequestUnknown = ({ isBodyOmitted, requestBody }: Exchange, { operation }: Call) =>
  isBodyOmitted === true && requestBody === undefined && OPERATION_ROUTES[operation].hasBody === true

const isRead = ({ method }: Exchange) => method === 'GET' || method === 'HEAD'

/** Whether a request can be sent to the mock: the client of HTTP refuses some methods. */
const canSend = ({ method }: Exchange) => /^[\w-]+$/.test(method) && !['CONNECT', 'TRACE', 'TRACK'].includes(method)

/** Operations whose replies say by which id later requests name what was created. */
const CREATIONS: readonly OperationId[] = ['createWorkgroup', 'createWorkspace']

/** How often one exchange is compared, at most. */
const MOST_TRIES = 20

type Undo = () => Promise<void>

/** A reply of the mock, compared with that of the service. */
interface Attempt {
  readonly ours: OwnReply
  readonly comparison: Comparison
  readonly differences: number
}

/** A request that the mock refuses, and the service has answered with a failure. */
interface Refusal extends Called {
  readonly ours: OwnReply
}

/** Lets the mock live through the exchanges of a service, and notes on what both agree. */
export class Replay {
  readonly counts = {
    compared: 0,
    /** Exchanges whose credential the service refused. The mock has none that it would refuse. */
    refused: 0,
    /** Exchanges of a failing service, or without a reply. */
    unanswered: 0,
    /** Exchanges for other paths than those of the interface. */
    foreign: 0,
    /** Exchanges with a request whose body is not known, so that the mock cannot get it. */
    incomplete: 0
  }
  /** Methods and paths that the service answers, and the mock does not have. */
  readonly further = new Set<string>()
  /** How often each operation was compared. */
  readonly calls = new Map<string, number>()
  readonly session: Session
  /** Beginning of the paths, before those of the interface. */
  #basePath: string | undefined
  #knowsOrgUsers = false
  readonly #refusals: Refusal[] = []

  constructor(session: Session) {
    this.session = session
  }

  /** Replays one exchange. They must come in the order in which they were sent. */
  async step(exchange: Exchange): Promise<void> {
    const { names, twin } = this.session
    const call = names.api.recognise(exchange)
    if (call !== undefined) this.#basePath ??= exchange.path.slice(0, exchange.path.length - call.path.length)
    else if (this.#basePath === undefined || !exchange.path.startsWith(`${this.#basePath}/`) || !canSend(exchange)) {
      this.counts.foreign++
      return
    }
    if (call !== undefined && isRequestUnknown(exchange, call)) {
      this.counts.incomplete++
      if (saysNothing(exchange) || exchange.status! < 400) this.#forgetFor(call)
      return
    }
    if (saysNothing(exchange)) {
      if (call !== undefined && isRefusedAsFailure(exchange)) await this.#ask(exchange, call)
      this.counts.unanswered++
      if (call !== undefined && !isRead(exchange))
        this.session.uncertain = [...this.session.uncertain, { exchange, call }]
      return
    }
    if (exchange.status === 401 && mayHaveCredential(exchange.requestHeaders)) {
      this.counts.refused++
      return
    }
    this.counts.compared++
    await twin.moveTo(exchange.sent - TOLERANCE_MS)
    if (call === undefined) await this.#replayOther(exchange)
    else {
      this.calls.set(call.operation, (this.calls.get(call.operation) ?? 0) + 1)
      await this.#replay(exchange, call)
    }
  }

  #forgetFor(call: Call): void {
    this.session.forgetFor(call)
    if (call.operation === 'updateOrgUserRoles') this.#knowsOrgUsers = false
  }

  /** Notes whether the mock refuses, too, what a service has answered with a failure. */
  async #ask(exchange: Exchange, call: Call): Promise<void> {
    const goBack = isRead(exchange) ? undefined : await this.#remember()
    await this.session.twin.moveTo(exchange.sent - TOLERANCE_MS)
    const ours = await this.session.send(exchange, call)
    if (ours.status >= 400) this.#refusals.push({ exchange, call, ours })
    else await goBack?.()
  }

  /**
   * Compares the refusals that were answered as failures, unless the service has also answered such a refusal in
   * another way: then it may really have failed. Call it at the end.
   */
  conclude(): void {
    const { session } = this
    const isOtherwise = ({ call, ours }: Refusal) =>
      session.facts.entries.some(
        ({ key }) => key.aspect === 'error type' && key.operation === call.operation && key.condition === ours.condition
      )
    for (const refusal of this.#refusals.filter((one) => !isOtherwise(one))) {
      const { exchange, call, ours } = refusal
      this.counts.unanswered--
      this.counts.compared++
      conclude(session, exchange, call, ours, this.#compare(exchange, call, ours))
    }
  }

  /** A path or a method that the interface does not have. */
  async #replayOther(exchange: Exchange): Promise<void> {
    const path = exchange.path.slice(this.#basePath!.length)
    const ours = await this.session.twin.send(exchange, { path }, exchange.requestBody)
    if (exchange.status! < 400) this.further.add(`${exchange.method} ${path}`)
    else conclude(this.session, exchange, undefined, ours)
  }

  async #replay(exchange: Exchange, call: Call): Promise<void> {
    const { session } = this
    const isUnknown = isReplyUnknown(exchange)
    if (call.operation === 'listOrgUsers' && exchange.status! < 400 && !this.#knowsOrgUsers && !isUnknown) {
      this.#knowsOrgUsers = true
      const users = resultOf(exchange.body)
      if (Array.isArray(users))
        await edit(session, exchange, (writer) => writer.replaceOrgUsers(users.filter(isObject)))
    }
    const isRefused = exchange.status! >= 400
    const isDoubtful = session.uncertain.some((one) => isAboutTheSame(call.params, one.call.params))
    // Nobody knows the id of what was created. It is taken over where a reply shows it.
    const isNameless = isUnknown && !isRefused && CREATIONS.includes(call.operation)
    const goBack = !isRead(exchange) && (isRefused || isDoubtful || isNameless) ? await this.#remember() : undefined
    let attempt = await this.#attempt(exchange, call)
    const tried = new Set<Called>()
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const { ours, comparison } = attempt
      // What the service has refused must not happen.
      const hasSlipped = isRefused && ours.status < 400
      if (hasSlipped) await goBack?.()
      const repaired = await repair(session, exchange, call, ours, comparison, tried)
      if (repaired === 'none') break
      if (repaired !== 'done') {
        tried.add(repaired)
        attempt = await this.#try(repaired, exchange, call, attempt, goBack)
      } else if (isRead(exchange) || hasSlipped || ours.status >= 400) attempt = await this.#attempt(exchange, call)
      else attempt = this.#judge(exchange, call, await this.#reread(call, ours))
    }
    const { ours, comparison } = attempt
    const workspace = call.params['workspaceID']
    const isUnsure = workspace !== undefined && session.unsure.has(session.oursFor(workspace))
    const isVague = ours.status !== exchange.status && session.isVagueInside(call.params)
    if (!isUnsure && !isVague) conclude(session, exchange, call, ours, comparison)
    if (isNameless) {
      await goBack!()
      session.nameless.push(call)
      return
    }
    if (!isRefused) await noteBeginnings(session, exchange, call, ours)
    // It is gone with all that is in it, which the mock would have kept.
    if (!isRefused && ours.status >= 400 && call.operation === 'deleteWorkgroup')
      await edit(session, exchange, (writer) => writer.remove([session.oursFor(call.params['workgroupID']!)]))
    if (isRead(exchange) && comparison.differences === 0 && !isRefused && !isUnknown)
      session.uncertain = leftAfter(call, session.uncertain)
    await this.#fallInStep(exchange, comparison)
  }

  async #attempt(exchange: Exchange, call: Call): Promise<Attempt> {
    return this.#judge(exchange, call, await this.session.send(exchange, call))
  }

  #judge(exchange: Exchange, call: Call, ours: OwnReply): Attempt {
    const comparison = this.#compare(exchange, call, ours)
    const isOther = ours.status < 400 !== exchange.status! < 400
    return { ours, comparison, differences: isOther ? Infinity : comparison.differences }
  }

  /** Sends a request that had no reply, and keeps its effect if the replies are then more alike. */
  async #try(uncertain: Called, exchange: Exchange, call: Call, before: Attempt, goBack?: Undo): Promise<Attempt> {
    const { session } = this
    const undo = goBack ?? (await this.#remember())
    if (!isRead(exchange)) await undo()
    const own = await session.send(uncertain.exchange, uncertain.call)
    const after = await this.#attempt(exchange, call)
    if (own.status >= 400 || after.differences >= before.differences) {
      await undo()
      return isRead(exchange) || before.ours.status >= 400 ? before : this.#attempt(exchange, call)
    }
    session.uncertain = session.uncertain.filter((one) => one !== uncertain)
    await noteBeginnings(session, uncertain.exchange, uncertain.call, own)
    const result = resultOf(own.body)
    for (const field of ['workgroup_id', 'workspace_id', 'database_id', 'id']) {
      const id = isObject(result) ? session.fieldOf(result, field) : undefined
      // It comes later than in the service.
      if (typeof id === 'string' && uncertain.exchange.method === 'POST') session.unordered.add(id)
    }
    return after
  }

  async #remember(): Promise<Undo> {
    const { twin, names } = this.session
    const [goBack, forget] = [await twin.remember(), names.bindings.remember()]
    return async () => {
      forget()
      await goBack()
    }
  }

  #compare(exchange: Exchange, call: Call, ours: OwnReply): Comparison {
    const comparison = new Comparison(this.session.names, exchange, call, this.session)
    const isComparable = ours.status < 400 === exchange.status! < 400
    if (isComparable && !isReplyUnknown(exchange)) comparison.compare(ours.body)
    return comparison
  }

  /** The reply to a change as it would be now: something has been repaired since. */
  async #reread(call: Call, before: OwnReply): Promise<OwnReply> {
    const { twin, names } = this.session
    const result = resultOf(before.body)
    if (!isObject(result)) return before
    const path = this.session.ownPath(call.path)
    const id = this.session.fieldOf(result, call.operation === 'createWorkspace' ? 'workspace_id' : 'workgroup_id')
    const now = await twin.read(call.operation.startsWith('create') ? `${path}/${String(id)}` : path)
    if (now.status >= 400) return before
    // The reply to an update has another name of the workgroup than a read.
    const name = names.profile.names.fields.toWire('workgroup_name')
    const kept = name in result ? { [name]: result[name] } : {}
    return { ...before, body: { ...(before.body as object), Result: { ...(resultOf(now.body) as object), ...kept } } }
  }

  /** After a difference, the mock goes on from where the service is, so that it is not blamed for it again. */
  async #fallInStep(exchange: Exchange, comparison: Comparison): Promise<void> {
    const { session } = this
    const { states, onlyOurs, onlyTheirs, otherValues } = comparison
    const apart = states.flatMap(({ kind, ours, state, word }) => {
      const theirs = session.names.states.stateOf(kind, word)
      const id = session.fieldOf(ours, 'workspace_id')
      return theirs === undefined || theirs === state || typeof id !== 'string' ? [] : [{ kind, id, state: theirs }]
    })
    const gone = onlyOurs.map(({ item }) => idOf(item))
    // Apart from each other: the mock takes nothing of an edit in which it refuses what cannot be left out.
    if (apart.length > 0)
      await edit(session, exchange, (writer) => {
        for (const state of apart) writer.setState(state)
      })
    if (otherValues.length > 0)
      await edit(session, exchange, (writer) => {
        for (const value of otherValues) writer.setValue(value)
      })
    if (onlyTheirs.length > 0) await edit(session, exchange, (writer) => writer.addAll(onlyTheirs))
    if (gone.length > 0) await edit(session, exchange, (writer) => writer.remove(gone))
  }
}

const idOf = (item: Readonly<Record<string, unknown>>) =>
  String(item['workspace_id'] ?? item['database_id'] ?? item['workgroup_id'] ?? item['id'])

const OF_WORKSPACE = OPERATION_IDS.filter((id) => BEGUN_BY[id]!.length > 0 && id !== 'createWorkspace')
const OF_WORKGROUP: readonly OperationId[] = [
  'createWorkgroup',
  'updateWorkgroup',
  'deleteWorkgroup',
  'enableAllowList',
  'disableAllowList',
  'createWorkspace',
  'updateDatabase',
  'deleteDatabase',
  ...OF_WORKSPACE
]

/** The reads that show the effects of operations. */
const SHOWS: Readonly<Partial<Record<OperationId, readonly OperationId[]>>> = {
  listWorkgroups: OF_WORKGROUP,
  getWorkgroup: OF_WORKGROUP,
  getWorkspace: OF_WORKSPACE,
  getDatabase: ['updateDatabase', 'deleteDatabase'],
  listAllowedIPs: ['addAllowedIP', 'updateAllowedIP', 'deleteAllowedIP'],
  listBackups: ['deleteBackup'],
  getBackupSchedule: ['setBackupSchedule'],
  getWorkspaceSchedules: ['updateWorkspaceSchedule', 'deleteWorkspaceSchedule'],
  listDatabaseUsers: ['createDatabaseUser', 'updateDatabaseUserPassword', 'deleteDatabaseUser'],
  listOrgUsers: ['updateOrgUserRoles']
}

/** Those of which a read that agrees has not shown that they had no effect. */
function leftAfter(read: Call, uncertain: readonly Called[]): readonly Called[] {
  const shown = SHOWS[read.operation]
  if (shown === undefined || uncertain.length === 0) return uncertain
  return uncertain.filter(({ call }) => !shown.includes(call.operation) || !isAboutTheSame(read.params, call.params))
}
