import type { Condition } from '../../interface/errors.js'
import { isObject, type Json } from '../../lib/json.js'
import type { TransitionName } from '../../node/index.js'
import { BUILT_IN_DURATIONS } from '../../profile/durations.js'
import type { Profile } from '../../profile/profile.js'
import { type Api, type Call, isAboutTheSame } from '../api.js'
import { Bindings } from '../bindings.js'
import { CatalogueNames } from '../catalogue-names.js'
import { CHOSEN } from '../comparables.js'
import type { Names } from '../comparison.js'
import type { Exchange } from '../exchange.js'
import { FactBook, type LooseKey } from '../fact-book.js'
import { percentDecoded } from '../percent-decoded.js'
import { type Called, shownIn } from '../sights.js'
import { StateNames } from '../state-names.js'
import { type Interval, Timing, TOLERANCE_MS } from '../timing.js'
import type { OwnReply, Twin } from '../twin.js'

/** The payload of a reply; the reply itself if it has no envelope. */
export const resultOf = (body: unknown): unknown => (isObject(body) && 'RequestID' in body ? body['Result'] : body)

/** What a replay knows while it runs. */
export class Session {
  readonly twin: Twin
  readonly profile: Profile
  readonly names: Names
  readonly facts = new FactBook()
  readonly timing = new Timing()
  /** How long transitions were observed to take, with the number of the exchange that shows the end. */
  readonly durations: (Interval & { readonly transition: TransitionName; readonly exchange: number })[] = []
  /** Ids of resources that were there before the recording, or that the mock has given up. */
  readonly adopted = new Set<string>()
  /** How late the end of a transition may have been noticed, in milliseconds. */
  #blur = 0
  /** Ids of workspaces that were there before, and whose state no reply has shown yet. */
  readonly unsure = new Set<string>()
  /** How each resource is shown for the first time, by its id: a recording can name one before it shows it. */
  readonly shown: ReadonlyMap<string, Json>
  /** What the mock could not take over from replies, with the reason. */
  readonly refused: string[] = []
  /** The requests that both refuse: why the mock does, and whether both say the same. */
  readonly refusals: (Called & { readonly condition: Condition; readonly isAsOurs: boolean })[] = []
  /** What changes are about of which nobody knows whether, or how, they were carried out. */
  readonly #vague: Call['params'][] = []

  /** @param exchanges all that are to come */
  constructor(twin: Twin, profile: Profile, api: Api, exchanges: readonly Exchange[]) {
    this.twin = twin
    this.profile = profile
    this.names = {
      api,
      profile,
      bindings: new Bindings(),
      states: new StateNames(profile.words),
      catalogue: new CatalogueNames(profile)
    }
    this.shown = shownIn(exchanges, api, profile.names.fields.toWire)
  }

  get blur(): number {
    return this.#blur
  }

  /** A field of a reply, by its built-in name. */
  fieldOf(item: Json, field: string): unknown {
    return item[this.profile.names.fields.toWire(field)]
  }

  /** The same as a text; empty if it is none. */
  textOf(item: Json, field: string): string {
    const value = this.fieldOf(item, field)
    return typeof value === 'string' ? value : ''
  }

  /** The mock's id for one of the service; the same if it has none of its own. */
  oursFor(id: string): string {
    return this.names.bindings.oursFor(id) ?? id
  }

  theirsFor(id: string): string {
    return this.names.bindings.theirsFor(id) ?? id
  }

  note({ number }: Exchange, key: LooseKey, agrees: boolean, ours?: unknown, theirs?: unknown): void {
    this.facts.add({ ...key, agrees, ours, theirs, exchange: number })
  }

  /** Sends a request of the recording to the mock, with the mock's ids and names. */
  send(exchange: Exchange, call: Call): Promise<OwnReply> {
    return this.twin.send(exchange, { ...call, path: this.ownPath(call.path) }, this.#ownBody(exchange))
  }

  /** Gives up what the mock has of the resources that a change is about: what it has done is not known. */
  forgetFor({ params }: Call): void {
    this.#vague.push(params)
    for (const id of Object.values(params)) this.adopted.add(this.oursFor(id))
  }

  /** Whether a resource, or what is in it, may differ because of a change that is not known. */
  isVague(params: Call['params']): boolean {
    // Those without ids are about nothing that was there before.
    return this.#vague.some((own) => Object.keys(own).length > 0 && isAboutTheSame(own, params))
  }

  ownPath(path: string): string {
    return path
      .split('/')
      .map((segment) => {
        const own = this.names.bindings.oursFor(percentDecoded(segment))
        return own === undefined ? segment : encodeURIComponent(own)
      })
      .join('/')
  }

  #ownBody({ requestBody, status }: Exchange): unknown {
    const body = this.names.bindings.toOurs(requestBody)
    // A name that the service has refused must not become one that the mock accepts.
    if (!isObject(body) || (status !== null && status >= 400)) return body
    const { fields } = this.profile.names
    return Object.fromEntries(
      Object.entries(body).map(([field, value]) => {
        const list = CHOSEN[fields.fromWire(field)]
        const own = (name: unknown) =>
          list !== undefined && typeof name === 'string' ? this.names.catalogue.toOurs(list, name) : name
        return [field, Array.isArray(value) ? value.map(own) : own(value)]
      })
    )
  }

  /** How long a transition takes in the mock. */
  lengthOf(name: string): Interval {
    const builtIn = BUILT_IN_DURATIONS[name as keyof typeof BUILT_IN_DURATIONS].realistic
    return this.profile.durations.get(name)?.realistic ?? { min: builtIn, max: builtIn }
  }

  /** Ends a transition of the mock, or that of one backup, as an exchange shows it, and notes how long it took. */
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
    this.#blur = Math.max(this.#blur, taken.max - taken.min)
    this.durations.push({ transition: name, ...taken, exchange: exchange.number })
    const ours = this.lengthOf(name)
    const slack = TOLERANCE_MS + taken.max / 1000
    const agrees = ours.min <= taken.max + slack && ours.max >= taken.min - slack
    this.note(exchange, { aspect: 'duration', subject: name }, agrees, ours, taken)
  }
}
