import { type Json, listOf, objectOf, textOf } from '../../lib/json.js'
import { parseTimestamp } from '../../lib/time.js'
import { textOf as bytesAsText, valueOf } from '../body.js'
import type { Exchange } from '../exchange.js'
import { decompress } from '../passed.js'

type Headers = Exchange['headers']

/** An exchange before those of all files are numbered. */
export type Unnumbered = Omit<Exchange, 'number'>

/** An HTTP Archive cannot be used. The message completes a sentence that begins with its name. */
export class HarProblem extends Error {}

/** The path of the mock's control API. */
const CONTROL = /\/_mock(?:\/|$)/

/** Maximum size of a decompressed body, in bytes. */
const MOST_UNPACKED = 64 * 1024 * 1024

/** Reads an HTTP Archive (HAR) 1.2, of which tools omit a lot. @throws {HarProblem} if the text is not one */
export function readHar(text: string): Unnumbered[] {
  let last = 0
  return entriesOf(text).flatMap((entry, index) => {
    const { startedDateTime, time, request, response } = objectOf(entry)
    const { method, url, headers: sentHeaders, postData, bodySize } = objectOf(request)
    const { status: shown, headers: receivedHeaders, content } = objectOf(response)
    if (typeof method !== 'string' || typeof url !== 'string')
      throw new HarProblem(`is damaged: entry ${index + 1} lacks request.method or request.url; save it again`)
    // Not with URL, which would normalize the path.
    const [, origin, path = '/', query = ''] =
      /^(https?:\/\/[^/?#]*)(\/[^?#]*)?(?:\?([^#]*))?(?:#.*)?$/is.exec(url) ?? []
    // Chrome marks replies that the service has not sent at that time.
    if (origin === undefined || CONTROL.test(path) || '_fromCache' in objectOf(entry)) return []
    const sent = parseTimestamp(textOf(startedDateTime) ?? '') ?? last
    last = sent
    // The reply that the client has kept is still the current one.
    const isUnchanged = shown === 304
    // 0, or -1 in some archives, if no reply came.
    const status = isUnchanged ? 200 : typeof shown === 'number' && shown > 0 ? shown : null
    const [requestHeaders, headers] = [sentHeaders, receivedHeaders].map(headersOf) as [Headers, Headers]
    // A browser asks whether a page may send another request.
    if (method === 'OPTIONS' && 'access-control-request-method' in requestHeaders) return []
    const requestBody = bodyIn(objectOf(postData), requestHeaders)
    const received = status === null ? {} : objectOf(content)
    const body = bodyIn(received, headers)
    const isBodyOmitted =
      isMissing({ size: bodySize, ...objectOf(postData) }) ||
      (body === undefined && (isUnchanged || isMissing(received)))
    return {
      sent,
      answered: sent + (typeof time === 'number' && time > 0 ? time : 0),
      origin: origin.toLowerCase(),
      method: method.toUpperCase(),
      path,
      query,
      requestHeaders,
      ...(requestBody === undefined ? {} : { requestBody }),
      status,
      headers,
      ...(body === undefined ? {} : { body }),
      ...(isBodyOmitted ? { isBodyOmitted } : {})
    }
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
  const { entries } = objectOf(objectOf(whole)['log'])
  if (!Array.isArray(entries))
    throw new HarProblem('is neither an HTTP Archive (HAR), which has log.entries, nor a recording of svc-mock')
  return entries
}

/** Headers by name, without the pseudo-headers of HTTP/2. */
function headersOf(pairs: unknown): Headers {
  const headers = new Map<string, string>()
  for (const pair of listOf(pairs)) {
    const { name, value } = objectOf(pair)
    if (typeof name !== 'string' || name.startsWith(':')) continue
    // Some tools write numbers.
    const [key, own] = [name.toLowerCase(), typeof value === 'number' ? String(value) : (textOf(value) ?? '')]
    const before = headers.get(key)
    headers.set(key, before === undefined ? own : `${before}, ${own}`)
  }
  return Object.fromEntries(headers)
}

/** The value of a body, which may be in Base64; the standard has that only for replies. */
function bodyIn({ mimeType, text, encoding }: Json, headers: Headers): unknown {
  if (typeof text !== 'string' || text === '') return undefined
  const plain = encoding === 'base64' ? unpacked(Buffer.from(text, 'base64'), headers) : text
  return valueOf(plain ?? text, textOf(mimeType) ?? headers['content-type'])
}

/** The text of a body, which some tools write as it was sent; undefined if it is none. */
const unpacked = (bytes: Buffer, headers: Headers) =>
  bytesAsText(bytes) ?? bytesAsText(decompress(bytes, headers['content-encoding'] ?? '', MOST_UNPACKED) ?? bytes)

/** Whether there was a body that the file omits, because it was too large or not saved. Only our own files say so. */
function isMissing({ _omitted: isOmitted, text, size }: Json): boolean {
  return isOmitted === true || (typeof text !== 'string' && Number(size ?? 0) > 0)
}
