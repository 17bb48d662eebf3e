import { type Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Reply } from './helper.js'

const JSON_TYPE = 'Content-Type: application/json'

/** The head of a request as it travels. */
export const headOf = (method: string, path: string, key: string, ...headers: readonly string[]): string =>
  [`${method} ${path} HTTP/1.1`, 'Host: localhost', `X-Api-Key: ${key}`, ...headers, '', ''].join('\r\n')

/** The beginning of a request with a body in JSON. @param length of the whole body */
export const beginningOf = (method: string, path: string, key: string, length: number, body = ''): string =>
  headOf(method, path, key, JSON_TYPE, `Content-Length: ${length}`) + body

/** A request with a body in JSON. */
export const requestWith = (method: string, path: string, key: string, body: string): string =>
  beginningOf(method, path, key, Buffer.byteLength(body), body)

/** A reply as it travels. */
export interface RawReply {
  readonly line: string
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string
}

/** Parses the replies from a connection. @throws if there is anything else */
export function repliesOf(text: string, isHead = false): RawReply[] {
  const replies: RawReply[] = []
  for (let rest = text; rest !== '';) {
    const end = rest.indexOf('\r\n\r\n')
    const [line = '', ...lines] = rest.slice(0, end).split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1])
    if (end < 0 || Number.isNaN(status)) throw new Error(`this is no reply: ${rest.slice(0, 200)}`)
    const headers = Object.fromEntries(
      lines.map((header) => [header.slice(0, header.indexOf(':')).toLowerCase(), header.slice(header.indexOf(':') + 2)])
    )
    const start = end + 4
    const { body, next } =
      isHead || status === 100
        ? { body: '', next: start }
        : headers['transfer-encoding'] === 'chunked'
          ? chunksAt(rest, start)
          : piece(rest, start, Number(headers['content-length']))
    if (status !== 100) replies.push({ line, status, headers, body })
    rest = rest.slice(next)
  }
  return replies
}

function chunksAt(text: string, start: number): { body: string; next: number } {
  const chunks: string[] = []
  for (let next = start; ;) {
    const end = text.indexOf('\r\n', next)
    const chunk = piece(text, end + 2, Number.parseInt(text.slice(next, end), 16))
    next = chunk.next + 2
    if (chunk.body === '') return { body: chunks.join(''), next }
    chunks.push(chunk.body)
  }
}

function piece(text: string, start: number, length: number): { body: string; next: number } {
  const body = text.slice(start, start + length)
  if (body.length !== length) throw new Error(`it has ${body.length} of ${length} bytes`)
  return { body, next: start + length }
}

/** Sends one request on a connection of an agent. A text is sent as it is, anything else as JSON. */
export function sendBy(
  agent: Agent,
  url: string | URL,
  method: string,
  headers: Record<string, string | string[]>,
  body?: unknown,
  signal?: AbortSignal
): Promise<IncomingMessage> {
  const bytes = Buffer.from(typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body))
  const type = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': bytes.length }
  return new Promise((resolve, reject) => {
    request(url, { agent, method, headers: { ...headers, ...type }, ...(signal && { signal }) }, resolve)
      .on('error', reject)
      .end(bytes)
  })
}

/** Does so, and reads the reply. @throws if it is not complete */
export async function send(...given: Parameters<typeof sendBy>): Promise<Reply> {
  const reply = await sendBy(...given)
  const received = await text(reply)
  const isJson = reply.headers['content-type']?.startsWith('application/json') === true
  return { status: reply.statusCode!, headers: reply.headers, body: isJson ? JSON.parse(received) : received }
}
