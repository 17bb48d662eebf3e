import { type OperationId } from '../../src/interface/operation-ids.js'
import { OPERATION_ROUTES } from '../../src/interface/operation-routes.js'
import { type Renaming, renaming } from '../../src/profile/renaming.js'
import type { ProfileDocument } from '../../src/profile/schemas.js'
import type { StateKind } from '../../src/profile/states.js'
import type { Chance } from './chance.js'
import { type Mishap, type Planned, type Recorder, TOKENS, type WireReply, type WireRequest } from './recorder.js'

/** A reply with the built-in names. Workloads read its fields, so the result is not typed. */
export interface Answer {
  readonly status: number | null
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- see Answer
  readonly result: any
  readonly isOk: boolean
}

/** A call of an operation, with the built-in names. */
export interface Call {
  readonly operation: OperationId
  /** Ids in the path. */
  readonly ids?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** The credential. Default: an API key, or a session if the operation needs one. */
  readonly as?: 'key' | 'session' | 'expired session' | 'nobody'
  /** Whether the query, rather than the body, selects the operation of a shared path. */
  readonly isNamed?: boolean
  /** Finds the result of a creation whose reply was lost, if it took place. */
  readonly find?: () => Promise<unknown>
}

interface ClientOptions {
  readonly recorder: Recorder
  readonly basePath: string
  readonly profile: ProfileDocument | undefined
  /** For times. */
  readonly chance: Chance
  /** For mishaps, if any. */
  readonly mishaps: Chance | undefined
}

/** Maximum number of retries. */
const MOST_RETRIES = 6

/** A careful client: it retries after temporary failures, and polls patiently. */
export class Client {
  readonly #fields: Renaming
  readonly #values: Renaming

  constructor(private readonly options: ClientOptions) {
    const { fields = {}, values = {} } = options.profile?.names ?? {}
    this.#fields = renaming(fields)
    this.#values = renaming(values)
  }

  /** The word of the service for a state. */
  say(kind: StateKind, state: string): string {
    return this.options.profile?.states?.[kind]?.[state] ?? state
  }

  /** The service's time, in milliseconds since 1970. */
  get now(): number {
    return this.options.recorder.now
  }

  /** Whether requests can fail on their way. */
  get isUnlucky(): boolean {
    return this.options.mishaps !== undefined
  }

  async pause(milliseconds: number): Promise<void> {
    await this.options.recorder.pause(milliseconds)
  }

  /** Calls an operation, with retries after temporary failures. */
  async call(operation: OperationId, ids: Call['ids'] = {}, body?: unknown, more: Partial<Call> = {}): Promise<Answer> {
    const call: Call = { ...more, operation, ids, body }
    let wait = 500
    for (let tries = 0; ; tries++) {
      const [reply] = (await this.#send([call])) as [WireReply]
      if (!isTemporary(reply) || tries === MOST_RETRIES) return this.#read(reply)
      const asked = Number(reply.headers['retry-after'] ?? 0) * 1000
      await this.pause(Math.max(asked, wait) * this.options.chance.between(1, 1.3))
      wait *= 2
      // A 429 means that nothing was done; any other failure may follow success.
      const found = reply.status === 429 ? undefined : await call.find?.()
      if (found !== undefined) return { status: 200, result: found, isOk: true }
    }
  }

  /** Calls operations concurrently, without retries. */
  async together(calls: readonly Call[]): Promise<Answer[]> {
    const replies = await this.#send(calls)
    return replies.map((reply) => this.#read(reply))
  }

  /** Sends a request that calls no operation. */
  async raw(method: string, path: string, more: Partial<WireRequest> = {}): Promise<Answer> {
    const { recorder, basePath } = this.options
    const headers = { ...HEADERS, ...TOKENS.key, ...more.headers }
    const request = { query: '', ...more, method, path: `${basePath}${path}`, headers }
    const [reply] = (await recorder.send([{ request, after: this.#thought() }])) as [WireReply]
    return this.#read(reply)
  }

  /** Reads until a condition holds, or a patient client would give up. @returns the last answer */
  async poll(read: () => Promise<Answer>, isDone: (answer: Answer) => boolean): Promise<Answer> {
    const next = this.#intervals()
    for (let reads = 1; ; reads++) {
      await this.pause(next())
      const answer = await read()
      if (isDone(answer) || reads === MOST_POLLS) return answer
    }
  }

  /** Chooses how to poll. @returns a function that gives the next interval, in milliseconds */
  #intervals(): () => number {
    const { chance } = this.options
    const isBackingOff = chance.happens(0.4)
    let interval = isBackingOff ? 1000 : chance.magnitude(4000, 45_000)
    let count = 0
    return () => {
      const waited = interval * chance.between(0.9, 1.1)
      count++
      if (isBackingOff) interval *= 2
      else if (count >= 10) interval *= 1.4
      interval = Math.min(interval, 55_000)
      return waited
    }
  }

  async #send(calls: readonly Call[]): Promise<WireReply[]> {
    const planned = calls.map((call): Planned => {
      const mishap = this.#mishap()
      return { request: this.#requestOf(call), after: this.#thought(), mishap }
    })
    return this.options.recorder.send(planned)
  }

  /** Milliseconds until the next request. */
  #thought(): number {
    return this.options.chance.magnitude(10, 800)
  }

  #mishap(): Mishap | undefined {
    const { mishaps } = this.options
    return mishaps?.happens(0.06) === true ? mishapBy(mishaps) : undefined
  }

  #requestOf({ operation, ids = {}, body, as, isNamed = false }: Call): WireRequest {
    const { path, method, query = '', needsSession = false } = OPERATION_ROUTES[operation]
    const credential = as ?? (needsSession ? 'session' : 'key')
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name]!))
    return {
      method,
      path: `${this.options.basePath}${filled}`,
      query: isNamed ? query : '',
      headers: {
        ...HEADERS,
        ...CREDENTIALS[credential],
        ...(body === undefined ? {} : { 'content-type': 'application/json' })
      },
      ...(body === undefined ? {} : { body: rename(body, this.#fields.toWire, this.#values.toWire) })
    }
  }

  #read({ status, body }: WireReply): Answer {
    const read = rename(body, this.#fields.fromWire, this.#values.fromWire) as { Result?: unknown } | undefined
    const isOk = status !== null && status < 300
    return { status, isOk, result: Array.isArray(read) ? read : read?.Result }
  }
}

/** Maximum number of reads. */
const MOST_POLLS = 50

const HEADERS = { accept: 'application/json', 'user-agent': 'acme-cli/2.3.1' }

const CREDENTIALS: Readonly<Record<NonNullable<Call['as']>, Readonly<Record<string, string>>>> = {
  ...TOKENS,
  'expired session': { authorization: 'Bearer session-0' },
  nobody: {}
}

function isTemporary({ status }: WireReply): boolean {
  return status === null || status === 429 || status >= 500
}

function mishapBy(chance: Chance): Mishap {
  const phase = chance.pick(['before', 'after-commit'] as const)
  switch (chance.pick(['lost', 'busy', 'broken', 'too many'] as const)) {
    case 'lost':
      return { phase, effect: { reply: 'drop' } }
    case 'busy':
      return { phase: 'before', effect: { status: 503, reason: 'Try again later.', retry_after: chance.whole(1, 10) } }
    case 'broken':
      return { phase, effect: { status: 500, reason: 'Something went wrong.' } }
    case 'too many':
      return { phase: 'before', effect: { status: 429, reason: 'Too many requests.', retry_after: chance.whole(1, 5) } }
  }
}

function rename(value: unknown, field: (name: string) => string, word: (value: string) => string): unknown {
  if (typeof value === 'string') return word(value)
  if (Array.isArray(value)) return value.map((item) => rename(item, field, word))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [field(name), rename(item, field, word)]))
}
