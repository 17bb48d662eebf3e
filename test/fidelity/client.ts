import type { OperationId } from '../../src/interface/operation-ids.js'
import { OPERATION_ROUTES } from '../../src/interface/operation-routes.js'
import { renaming } from '../../src/profile/renaming.js'
import type { ProfileDocument } from '../../src/profile/schemas.js'
import type { StateKind } from '../../src/profile/states.js'
import type { Chance } from './chance.js'
import { type Mishap, type Planned, type Recorder, TOKENS, type WireReply, type WireRequest } from './recorder.js'

/** A reply with the built-in names. Workloads read its fields, so the result is not typed. */
export interface Answer {
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

export type Client = ReturnType<typeof careful>

/** A careful client: it retries after temporary failures, and polls patiently. */
export function careful({ recorder, basePath, profile, chance, mishaps }: ClientOptions) {
  const { fields: renamedFields = {}, values: renamedValues = {} } = profile?.names ?? {}
  const [fields, values] = [renaming(renamedFields), renaming(renamedValues)]
  return {
    call,
    together,
    raw,
    poll,
    say,
    pause: recorder.pause,
    /** The service's time, in milliseconds since 1970. */
    now: recorder.now,
    /** Whether requests can fail on their way. */
    isUnlucky: mishaps !== undefined
  }

  /** The word of the service for a state. */
  function say(kind: StateKind, state: string): string {
    return profile?.states?.[kind]?.[state] ?? state
  }

  /** Calls an operation, with retries after temporary failures. */
  async function call(
    operation: OperationId,
    ids: Call['ids'] = {},
    body?: unknown,
    more: Partial<Call> = {}
  ): Promise<Answer> {
    const asked: Call = { ...more, operation, ids, body }
    let wait = 500
    for (let tries = 0; ; tries++) {
      const [reply] = (await send([asked])) as [WireReply]
      if (!isTemporary(reply) || tries === MOST_RETRIES) return read(reply)
      const least = Number(reply.headers['retry-after'] ?? 0) * 1000
      await recorder.pause(Math.max(least, wait) * chance.between(1, 1.3))
      wait *= 2
      // A 429 means that nothing was done; any other failure may follow success.
      const found = reply.status === 429 ? undefined : await asked.find?.()
      if (found !== undefined) return { result: found, isOk: true }
    }
  }

  /** Calls operations concurrently, without retries. */
  async function together(calls: readonly Call[]): Promise<Answer[]> {
    return (await send(calls)).map(read)
  }

  /** Sends a request that calls no operation. */
  async function raw(method: string, path: string, more: Partial<WireRequest> = {}): Promise<Answer> {
    const requestHeaders = { ...HEADERS, ...TOKENS.key, ...more.requestHeaders }
    const request = { query: '', ...more, method, path: `${basePath}${path}`, requestHeaders }
    const [reply] = (await recorder.send([{ request, after: thought() }])) as [WireReply]
    return read(reply)
  }

  /** Reads until a condition holds, or a patient client would give up. @returns the last answer */
  async function poll(look: () => Promise<Answer>, isDone: (answer: Answer) => boolean): Promise<Answer> {
    const isBackingOff = chance.happens(0.4)
    let interval = isBackingOff ? 1000 : chance.magnitude(4000, 45_000)
    for (let reads = 1; ; reads++) {
      await recorder.pause(interval * chance.between(0.9, 1.1))
      const answer = await look()
      if (isDone(answer) || reads === MOST_POLLS) return answer
      const growth = isBackingOff ? 2 : reads >= 10 ? 1.4 : 1
      interval = Math.min(interval * growth, 55_000)
    }
  }

  async function send(calls: readonly Call[]): Promise<WireReply[]> {
    const planned = calls.map((one): Planned => {
      const mishap = mishaps?.happens(0.06) === true ? mishapBy(mishaps) : undefined
      return { request: requestOf(one), after: thought(), mishap }
    })
    return recorder.send(planned)
  }

  /** Milliseconds until the next request. */
  function thought(): number {
    return chance.magnitude(10, 800)
  }

  function requestOf({ operation, ids = {}, body, as, isNamed = false }: Call): WireRequest {
    const { path, method, query = '', needsSession = false } = OPERATION_ROUTES[operation]
    const credential = as ?? (needsSession ? 'session' : 'key')
    return {
      method,
      path: `${basePath}${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name]!))}`,
      query: isNamed ? query : '',
      requestHeaders: {
        ...HEADERS,
        ...CREDENTIALS[credential],
        ...(body === undefined ? {} : { 'content-type': 'application/json' })
      },
      ...(body === undefined ? {} : { requestBody: rename(body, fields.toWire, values.toWire) })
    }
  }

  function read({ status, body }: WireReply): Answer {
    const answer = rename(body, fields.fromWire, values.fromWire) as { Result?: unknown } | undefined
    return { isOk: status !== null && status < 300, result: Array.isArray(answer) ? answer : answer?.Result }
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
  const choices: (() => Mishap)[] = [
    () => ({ phase, effect: { reply: 'drop' } }),
    () => ({ phase: 'before', effect: { status: 503, reason: 'Try again later.', retry_after: chance.whole(1, 10) } }),
    () => ({ phase, effect: { status: 500, reason: 'Something went wrong.' } }),
    () => ({ phase: 'before', effect: { status: 429, reason: 'Too many requests.', retry_after: chance.whole(1, 5) } })
  ]
  return chance.pick(choices)()
}

function rename(value: unknown, field: (name: string) => string, word: (value: string) => string): unknown {
  if (typeof value === 'string') return word(value)
  if (Array.isArray(value)) return value.map((item) => rename(item, field, word))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [field(name), rename(item, field, word)]))
}
