import { parseTimestamp } from '../../lib/time.js'
import { textOf, valueOf } from '../body.js'
import type { Exchange } from '../exchange.js'

/** An exchange before those of all files are numbered. */
export type Unnumbered = Omit<Exchange, 'number'>

/** An HTTP Archive cannot be used. The message completes a sentence that begins with its name. */
export class HarProblem extends Error {}

/** An entry of an HTTP Archive (HAR) 1.2. Tools omit a lot. */
interface HarEntry {
  readonly startedDateTime?: string
  /** Milliseconds. */
  readonly time?: number
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers?: readonly HarPair[]
    readonly postData?: HarBody
  }
  readonly response?: {
    /** 0, or -1 in some archives, if no reply came. */
    readonly status?: number
    readonly headers?: readonly HarPair[]
    readonly content?: HarBody
  }
}

interface HarPair {
  readonly name: string
  readonly value?: string | number
}

interface HarBody {
  readonly size?: number
  readonly mimeType?: string
  readonly text?: string
  /** `base64`. The standard has it only for replies. */
  readonly encoding?: string
  /** Ours, not in the standard. */
  readonly _omitted?: boolean
}

/** The path of the mock's control API. */
const CONTROL = /\/_mock(?:\/|$)/

/** Reads an HTTP Archive. @throws {HarProblem} if the text is not one */
export function readHar(text: string): Unnumbered[] {
  let last = 0
  return entriesOf(text).flatMap((entry, index) => {
    const problem = problemOf(entry)
    if (problem !== undefined) throw new HarProblem(`is damaged: entry ${index + 1} ${problem}; save it again`)
    const exchange = exchangeOf(entry as HarEntry, last)
    last = exchange?.sent ?? last
    return exchange ?? []
  })
}

function entriesOf(text: string): readonly unknown[] {
  let whole: unknown
  try {
    whole = JSON.parse(text)
  } catch (error) {
    if (/^\s*\{\s*"log"/.test(text))
      throw new HarProblem('is an HTTP Archive that is cut off or damaged; save it again', { cause: error })
    throw new HarProblem('is neither an HTTP Archive (HAR) nor a recording of svc-mock', { cause: error })
  }
  const entries = (whole as { log?: { entries?: unknown } } | null)?.log?.entries
  if (!Array.isArray(entries))
    throw new HarProblem('is neither an HTTP Archive (HAR), which has log.entries, nor a recording of svc-mock')
  return entries
}

function problemOf(entry: unknown): string | undefined {
  const { request } = (entry ?? {}) as { request?: { method?: unknown; url?: unknown } | null }
  if (typeof request !== 'object' || request === null) return 'has no request'
  if (typeof request.method !== 'string') return 'has no request.method'
  if (typeof request.url !== 'string') return 'has no request.url'
  return undefined
}

/** @param last when the previous exchange began. @returns undefined if the exchange is not with a service */
function exchangeOf({ startedDateTime, time, request, response }: HarEntry, last: number): Unnumbered | undefined {
  // Not with URL, which would normalize the path.
  const [, origin, path = '/', query = ''] =
    /^(https?:\/\/[^/?#]*)(\/[^?#]*)?(?:\?([^#]*))?(?:#.*)?$/is.exec(request.url) ?? []
  if (origin === undefined || CONTROL.test(path)) return undefined
  const sent = (typeof startedDateTime === 'string' ? parseTimestamp(startedDateTime) : undefined) ?? last
  const requestHeaders = headersOf(request.headers)
  const headers = headersOf(response?.headers)
  const requestBody = bodyIn(request.postData, requestHeaders)
  const status = response?.status
  const hasReply = typeof status === 'number' && status > 0
  const body = hasReply ? bodyIn(response?.content, headers) : undefined
  const isBodyOmitted =
    (request.postData?._omitted ?? false) || (hasReply && body === undefined && isMissing(response?.content))
  return {
    sent,
    answered: sent + (typeof time === 'number' && time > 0 ? time : 0),
    origin: origin.toLowerCase(),
    method: request.method.toUpperCase(),
    path,
    query,
    requestHeaders,
    ...(requestBody === undefined ? {} : { requestBody }),
    status: hasReply ? status : null,
    headers,
    ...(body === undefined ? {} : { body }),
    ...(isBodyOmitted ? { isBodyOmitted } : {})
  }
}

/** Headers by name, without the pseudo-headers of HTTP/2. */
function headersOf(pairs: readonly HarPair[] | undefined): Record<string, string> {
  const headers = new Map<string, string>()
  for (const pair of Array.isArray(pairs) ? (pairs as readonly (HarPair | null)[]) : []) {
    if (typeof pair?.name !== 'string' || pair.name.startsWith(':')) continue
    const [key, value] = [pair.name.toLowerCase(), String(pair.value ?? '')]
    const before = headers.get(key)
    headers.set(key, before === undefined ? value : `${before}, ${value}`)
  }
  return Object.fromEntries(headers)
}

/** @param body null in some archives if there was none */
function bodyIn(body: HarBody | null | undefined, headers: Record<string, string>): unknown {
  const { mimeType, text, encoding } = body ?? {}
  if (typeof text !== 'string' || text === '') return undefined
  const plain = encoding === 'base64' ? textOf(Buffer.from(text, 'base64')) : text
  return valueOf(plain ?? text, mimeType ?? headers['content-type'])
}

/** Whether there was a body that the file omits. */
function isMissing(content: HarBody | undefined): boolean {
  return content?._omitted === true || (typeof content?.text !== 'string' && (content?.size ?? 0) > 0)
}
