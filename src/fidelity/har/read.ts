import { parseTimestamp } from '../../lib/time.js'
import { textOf, valueOf } from '../body.js'
import type { Exchange } from '../exchange.js'
import type { HarBody, HarEntry, HarPair } from './write.js'

/** An exchange whose number follows from the other files. */
export type Unnumbered = Omit<Exchange, 'number'>

/** Says what is wrong with an HTTP Archive, as the end of a sentence that begins with its name. */
export class HarProblem extends Error {}

/** The path of our own control API, which no service has. */
const CONTROL = /\/_mock(?:\/|$)/

/**
 * Reads an HTTP Archive.
 * @throws {HarProblem} if the text is none
 */
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

/** @param last when the exchange before it began. @returns undefined for one that is not about a service */
function exchangeOf({ startedDateTime, time, request, response }: HarEntry, last: number): Unnumbered | undefined {
  // Not by URL, which would change how the path is written.
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

/** Headers by name. Those of HTTP/2 that begin with a colon are none. */
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

/** Some tools write null where there is no body. */
function bodyIn(body: HarBody | null | undefined, headers: Record<string, string>): unknown {
  const { mimeType, text, encoding } = body ?? {}
  if (typeof text !== 'string' || text === '') return undefined
  const plain = encoding === 'base64' ? textOf(Buffer.from(text, 'base64')) : text
  return valueOf(plain ?? text, mimeType ?? headers['content-type'])
}

/** Whether there was a body that is not in the file. */
function isMissing(content: HarBody | undefined): boolean {
  return content?._omitted === true || (typeof content?.text !== 'string' && (content?.size ?? 0) > 0)
}
