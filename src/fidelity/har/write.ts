import { toTimestamp } from '../../lib/time.js'
import { VERSION } from '../../lib/version.js'
import type { Exchange } from '../exchange.js'

/** What stands before the first entry. */
export const HAR_HEAD = JSON.stringify({
  log: { version: '1.2', creator: { name: 'svc-mock', version: VERSION }, entries: [] }
}).slice(0, -']}}'.length)

/** What stands after the last entry. */
export const HAR_TAIL = '\n]}}\n'

/**
 * Writes an exchange.
 * @param origin scheme and host
 * @param type media type of bodies whose headers are not known
 */
export function toHarEntry(exchange: Exchange, origin: string, type = ''): object {
  const { sent, answered, method, path, query, requestBody, status, body, requestHeaders, headers } = exchange
  const time = Math.max(0, answered - sent)
  const mimeType = headers['content-type'] ?? type
  const text = textOf(body)
  const { omitted } = exchange
  return {
    startedDateTime: toTimestamp(sent),
    time,
    request: {
      method,
      url: `${origin}${path}${query === '' ? '' : `?${query}`}`,
      ...REST,
      headers: toPairs(requestHeaders),
      queryString: [...new URLSearchParams(query)].map(([name, value]) => ({ name, value })),
      bodySize: omitted?.requestBody ?? REST.bodySize,
      ...postData(requestBody, requestHeaders['content-type'] ?? type, omitted?.requestBody !== undefined)
    },
    response: {
      // 0, as browsers do if no reply came.
      status: status ?? 0,
      statusText: '',
      ...REST,
      headers: toPairs(headers),
      content: {
        size: omitted?.body ?? Buffer.byteLength(text),
        mimeType,
        ...(omitted?.body === undefined ? { text } : { _omitted: true })
      },
      redirectURL: headers['location'] ?? ''
    },
    ...(exchange.reason === undefined ? {} : { comment: `left out: ${exchange.reason}` }),
    cache: {},
    timings: { send: 0, wait: time, receive: 0 }
  }
}

/** Writes an exchange as JSON. @param origin scheme and host */
export function toHarBytes(exchange: Exchange, origin: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(toHarEntry(exchange, origin)))
}

/** What a request and a reply have in common. */
const REST = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1, bodySize: -1 }

function toPairs(headers: Readonly<Record<string, string>>): HarPair[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }))
}

function textOf(body: unknown): string {
  return body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
}

function postData(body: unknown, mimeType: string, isOmitted: boolean): Pick<HarEntry['request'], 'postData'> {
  if (isOmitted && body === undefined) return { postData: { mimeType, text: '', _omitted: true } }
  return body === undefined ? {} : { postData: { mimeType, text: textOf(body) } }
}

/** What there is of an HTTP Archive (HAR) 1.2 in all of them, or in those that follow it. Tools leave out a lot. */
export interface HarEntry {
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
    /** 0, or -1 in some: there was none. */
    readonly status?: number
    readonly headers?: readonly HarPair[]
    readonly content?: HarBody
  }
}

/** A header. */
export interface HarPair {
  readonly name: string
  /** A number in some. */
  readonly value?: string | number
}

/** A body. */
export interface HarBody {
  readonly size?: number
  readonly mimeType?: string
  readonly text?: string
  /** `base64`; of a request, it is not in the standard. */
  readonly encoding?: string
  /** Not in the standard; ours: the body was too large to keep, or might hide secrets. */
  readonly _omitted?: boolean
}
