import type { Condition } from '../../interface/errors.js'
import type { OperationId } from '../../interface/operation-ids.js'
import { isObject, type Json, objectOf, textOf } from '../../lib/json.js'
import { percentDecoded } from '../../lib/percent-decoded.js'
import { hasMasked } from '../../lib/secrets.js'
import type { TransitionName } from '../../node/index.js'
import { BUILT_IN_DURATIONS } from '../../profile/durations.js'
import type { Profile } from '../../profile/profile.js'
import { type Api, type Call, isAboutTheSame } from '../api.js'
import { Bindings } from '../bindings.js'
import { CHOSEN } from '../comparables.js'
import type { Exchange } from '../exchange.js'
import { FactBook, type LooseKey } from '../fact-book.js'
import { memberOf } from '../meaning.js'
import { CatalogueNames, StateNames } from '../names.js'
import { type Called, firstShown, type Sight, stateWordsIn } from '../sights.js'
import { type Interval, Timing, TOLERANCE_MS } from '../timing.js'
import type { OwnReply, Twin } from '../twin.js'

/** Fields that a resize sets at its end, unless it fails. */
export const OF_RESIZE: readonly string[] = ['workspace_type_name', 'enable_ha']

/** The state of a replay. */
export class Session {
  readonly bindings = new Bindings()
  readonly states: StateNames
  readonly catalogue: CatalogueNames
  readonly facts = new FactBook()
  readonly timing = new Timing()
  /** Observed lengths of transitions, with the exchange that shows the end. */
  readonly durations: (Interval & { readonly transition: TransitionName; readonly exchange: number })[] = []
  /** The mock's ids of adopted or uncertain resources, with the fields whose values are known since. */
  readonly adopted = new Map<string, Set<string>>()
  /** How late the end of a transition may have been observed, in milliseconds. */
  blur = 0
  /** Ids of adopted workspaces whose state no reply has shown yet. */
  readonly unsure = new Set<string>()
  /** Ids of workspaces that no reply has shown since a transition ended. They may have stopped by themselves. */
  readonly unwatched = new Set<string>()
  /** Each resource as it is first shown, by its id: an exchange can name one before another shows it. */
  readonly shown: ReadonlyMap<string, Json>
  /** Values that the mock did not accept from replies, with the reasons. */
  readonly refused: string[] = []
  /** The requests that both refuse, with the mock's reason, and whether the messages are the same. */
  readonly refusals: (Called & { readonly condition: Condition; readonly isAsOurs: boolean })[] = []
  /** The operations that both accepted: each alone, and with each id in its path. */
  readonly #accepted = new Set<string>()
  /** Resources of changes whose effect is unknown. */
  readonly #vague: Call['params'][] = []

  /** @param sights the objects in all replies that will be replayed */
  constructor(
    readonly twin: Twin,
    readonly profile: Profile,
    readonly api: Api,
    sights: readonly Sight[]
  ) {
    const { toWire } = profile.names.fields
    const words = stateWordsIn(sights, toWire).map(({ kind, word }) => `${kind} ${word}`)
    this.states = new StateNames(profile.words, new Set(words))
    this.catalogue = new CatalogueNames(profile)
    this.shown = firstShown(sights, toWire)
  }

  /** The result in a body; the body itself if it has no envelope. */
  resultIn(body: unknown): unknown {
    return this.hasEnvelope(body) ? this.fieldOf(body, 'Result') : body
  }

  hasEnvelope(body: unknown): body is Json {
    return isObject(body) && this.fieldOf(body, 'RequestID') !== undefined
  }

  /** A field of a body, by its built-in name. */
  fieldOf(item: unknown, field: string): unknown {
    return memberOf(this.profile, item, field)
  }

  /** The same as a text; empty if it is not one. */
  textOf(item: Json, field: string): string {
    return textOf(this.fieldOf(item, field)) ?? ''
  }

  /** The mock's id for one of the service; the same id if it is not bound. */
  oursFor(id: string): string {
    return this.bindings.oursFor(id) ?? id
  }

  theirsFor(id: string): string {
    return this.bindings.theirsFor(id) ?? id
  }

  note({ number }: Exchange, key: LooseKey, agrees: boolean, ours?: unknown, theirs?: unknown): void {
    this.facts.add({ ...key, agrees, ours, theirs, exchange: number })
  }

  /** Sends a recorded request to the mock, with the mock's ids and names. */
  send(exchange: Exchange, call: Call): Promise<OwnReply> {
    const query = exchange.query.replaceAll(/[^&=]+/g, (part) => this.#ownPart(part))
    return this.twin.send({ ...exchange, query }, { ...call, path: this.ownPath(call.path) }, this.#ownBody(exchange))
  }

  /** Marks the resources of a change whose effect is unknown. */
  distrust({ params }: Call): void {
    this.#vague.push(params)
    for (const id of Object.values(params)) this.adopt(this.oursFor(id))
  }

  /** Marks a resource, by the mock's id, as adopted or uncertain. */
  adopt(id: string): void {
    this.adopted.set(id, new Set())
  }

  /** Marks what both accept. The values that a change sets are known, even in an adopted resource. */
  trust(exchange: Exchange, { operation, params }: Call): void {
    for (const id of ['', ...Object.values(params)]) this.#accepted.add(operation + id)
    const isOfSchedule = operation === 'updateWorkspaceSchedule'
    const id = isOfSchedule ? this.textOf(objectOf(exchange.requestBody), 'id') : Object.values(params).at(-1)!
    const known = this.adopted.get(this.oursFor(id))
    if (operation === 'enableAllowList' || operation === 'disableAllowList') known?.add('enable_allow_list')
    if (!operation.startsWith('update')) return
    for (const field of this.sentFields(exchange, operation)) if (!OF_RESIZE.includes(field)) known?.add(field)
  }

  /** The fields of a request that the mock has, too. */
  sentFields({ requestBody }: Exchange, operation: OperationId): readonly string[] {
    const request = this.api.requestSchema(operation)
    const sent = Object.keys(objectOf(requestBody)).filter((wire) => request?.fields.has(wire) !== false)
    return sent.map(this.profile.names.fields.fromWire)
  }

  /** Whether a change with an unknown effect may concern a resource or its parts. */
  isVague(params: Call['params']): boolean {
    // A change without ids concerns no existing resource.
    return this.#vague.some((own) => Object.keys(own).length > 0 && isAboutTheSame(own, params))
  }

  /**
   * Whether the service may refuse a request because of what no reply has shown: a masked value, or what an adopted
   * resource has.
   */
  isHidden({ requestBody }: Exchange, { operation, params: { workgroupID = '', workspaceID = '' } }: Call): boolean {
    if (hasMasked(requestBody)) return true
    if (operation === 'createDatabaseUser')
      return this.adopted.has(this.oursFor(workspaceID)) && !this.#accepted.has(`listDatabaseUsers${workspaceID}`)
    const isOfContents =
      operation === 'deleteWorkgroup' ||
      operation === 'deleteDatabase' ||
      (operation === 'createWorkspace' && this.fieldOf(requestBody, 'svc_database_id') !== undefined)
    const isListed = this.#accepted.has('listWorkgroups') || this.#accepted.has(`getWorkgroup${workgroupID}`)
    return isOfContents && this.adopted.has(this.oursFor(workgroupID)) && !isListed
  }

  ownPath(path: string): string {
    return path.replaceAll(/[^/]+/g, (segment) => this.#ownPart(segment))
  }

  /** A part of a URL with the mock's id. */
  #ownPart(part: string): string {
    const own = this.bindings.oursFor(percentDecoded(part))
    return own === undefined ? part : encodeURIComponent(own)
  }

  #ownBody({ requestBody, status }: Exchange): unknown {
    const body = this.bindings.toOurs(requestBody)
    // A name that the service refuses must not be replaced by one that the mock accepts.
    if (!isObject(body) || (status !== null && status >= 400)) return body
    const { fields } = this.profile.names
    return Object.fromEntries(
      Object.entries(body).map(([field, value]) => {
        const list = CHOSEN[fields.fromWire(field)]
        const own = (name: unknown) =>
          list !== undefined && typeof name === 'string' ? this.catalogue.toOurs(list, name) : name
        return [field, Array.isArray(value) ? value.map(own) : own(value)]
      })
    )
  }

  /** The length of a transition in the mock. */
  lengthOf(name: string): Interval {
    const builtIn = BUILT_IN_DURATIONS[name as keyof typeof BUILT_IN_DURATIONS].realistic
    return this.profile.durations.get(name)?.realistic ?? { min: builtIn, max: builtIn }
  }

  /** Whether a transition has been running for longer than it takes in the mock. */
  hasPassed(name: string, resource: string, exchange: Exchange): boolean {
    return this.timing.soFar(name, resource, exchange) > this.lengthOf(name).max
  }

  /** Ends a transition of the mock, as an exchange shows, and notes its length. */
  async end(
    exchange: Exchange,
    name: TransitionName,
    workspace: string,
    hasFailed = false,
    backup?: string
  ): Promise<void> {
    await this.twin.moveTo(exchange.answered)
    const taken = this.timing.end(name, backup ?? workspace, exchange)
    await this.twin.release(name, workspace, hasFailed, backup)
    this.note(exchange, { aspect: 'transition', subject: name }, true)
    if (taken === undefined) return
    this.blur = Math.max(this.blur, taken.max - taken.min)
    this.durations.push({ transition: name, ...taken, exchange: exchange.number })
    const ours = this.lengthOf(name)
    const slack = TOLERANCE_MS + taken.max / 1000
    const agrees = ours.min <= taken.max + slack && ours.max >= taken.min - slack
    this.note(exchange, { aspect: 'duration', subject: name }, agrees, ours, taken)
  }
}
