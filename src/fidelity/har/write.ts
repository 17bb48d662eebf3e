import { toTimestamp } from '../../lib/time.js'
import { VERSION } from '../../lib/version.js'
import type { Exchange } from '../exchange.js'

/** The text before the first entry. */
export const HAR_HEAD = JSON.stringify({
  log: { version: '1.2', creator: { name: 'svc-mock', version: VERSION }, entries: [] }
}).slice(0, -']}}'.length)

/** The text after the last entry. */
export const HAR_TAIL = '\n]}}\n'

/**
 * Makes an entry of an exchange.
 * @param origin scheme and host
 * @param type media type of bodies whose headers are unknown
 */
export function toHarEntry(exchange: Exchange, origin: string, type = ''): object {
  const { sent, answered, method, path, query, requestBody, status, body, requestHeaders, headers } = exchange
  const { omitted = {}, reason } = exchange
  const time = Math.max(0, answered - sent)
  const text = textOf(body)
  return {
    startedDateTime: toTimestamp(sent),
    time,
    request: {
      method,
      url: `${origin}${path}${query === '' ? '' : `?${query}`}`,
      ...COMMON,
      headers: toPairs(Object.entries(requestHeaders)),
      queryString: toPairs(new URLSearchParams(query)),
      bodySize: omitted.requestBody ?? COMMON.bodySize,
      ...postData(requestBody, requestHeaders['content-type'] ?? type, omitted.requestBody !== undefined)
    },
    response: {
      // 0 if no reply came, as browsers write it.
      status: status ?? 0,
      statusText: '',
      ...COMMON,
      headers: toPairs(Object.entries(headers)),
      content: {
        size: omitted.body ?? Buffer.byteLength(text),
        mimeType: headers['content-type'] ?? type,
        ...(omitted.body === undefined ? { text } : { _omitted: true })
      },
      redirectURL: headers['location'] ?? ''
    },
    ...(reason === undefined ? {} : { comment: `left out: ${reason}` }),
    cache: {},
    timings: { send: 0, wait: time, receive: 0 }
  }
}

/** Values that requests and replies share. */
const COMMON = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1, bodySize: -1 }

const toPairs = (entries: Iterable<[name: string, value: string]>) =>
  Array.from(entries, ([name, value]) => ({ name, value }))

function textOf(body: unknown): string {
  return body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
}

function postData(body: unknown, mimeType: string, isOmitted: boolean): object {
  if (body !== undefined) return { postData: { mimeType, text: textOf(body) } }
  return isOmitted ? { postData: { mimeType, text: '', _omitted: true } } : {}
}
