import { parseTimestamp } from '../../lib/time.js'
import { decompress, textOf, valueOf } from '../body.js'
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
  const parts = /^(https?:\/\/[^/?#]*)?(\/[^?#]*)?(?:\?([^#]*))?(?:#.*)?$/is.exec(request.url)
  const path = parts?.[2] ?? '/'
  if (parts === null || CONTROL.test(path)) return undefined
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
    ...(parts[1] === undefined ? {} : { origin: parts[1].toLowerCase() }),
    method: request.method.toUpperCase(),
    path,
    query: parts[3] ?? textOfPairs(request.queryString),
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
  const headers: Record<string, string> = {}
  for (const { name, value } of listOf(pairs)) {
    const key = name.toLowerCase()
    if (key.startsWith(':')) continue
    headers[key] = Object.hasOwn(headers, key) ? `${headers[key]!}, ${value}` : value
  }
  return headers
}

/** The pairs that can be used. */
function listOf(pairs: readonly HarPair[] | undefined): { name: string; value: string }[] {
  if (!Array.isArray(pairs)) return []
  return (pairs as readonly (HarPair | null)[]).flatMap((pair) =>
    typeof pair?.name === 'string' ? { name: pair.name, value: String(pair.value ?? '') } : []
  )
}

function textOfPairs(pairs: readonly HarPair[] | undefined): string {
  return new URLSearchParams(listOf(pairs).map(({ name, value }): [string, string] => [name, value])).toString()
}

/** Some tools write null where there is no body. */
function bodyIn(body: HarBody | null | undefined, headers: Record<string, string>): unknown {
  const { mimeType, text, params, encoding } = body ?? {}
  if (typeof text !== 'string' || text === '') return textOfPairs(params) || undefined
  return valueOf(encoding === 'base64' ? decoded(text, headers) : text, mimeType ?? headers['content-type'])
}

/** What a text in base64 stands for; the text itself if that is no text. Some tools keep what was compressed. */
function decoded(base64: string, headers: Record<string, string>): string {
  const bytes = Buffer.from(base64, 'base64')
  const plain = textOf(bytes)
  if (plain !== undefined) return plain
  const unpacked = decompress(bytes, headers['content-encoding'])
  return (unpacked === undefined ? undefined : textOf(unpacked)) ?? base64
}

/** Whether there was a body that is not in the file. */
function isMissing(content: HarBody | undefined): boolean {
  return content?._omitted === true || (typeof content?.text !== 'string' && (content?.size ?? 0) > 0)
}
