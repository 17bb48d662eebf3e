import { Agent, createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http'
import { Agent as TlsAgent } from 'node:https'
import { createProxyServer, type ProxyServer } from 'httpxy'
import { onSilence, wallTime } from '../../sim/clock.js'
import type { Exchange } from '../exchange.js'
import { reasonOf } from '../no-reply.js'
import { BodyNotKept, KeptBody } from './kept-body.js'

/** Marks replies that come from the proxy itself, because the service gave none. */
export const PROXY_ERROR_HEADER = 'x-svc-mock-proxy-error'

/** How to reach the service, and what to keep. */
interface ProxyOptions {
  /** The address of the service, with the path under which it is. */
  readonly upstream: URL
  /** How long the service may send nothing, in milliseconds. */
  readonly timeout: number
  /** Maximum size of a body that is kept, in bytes. */
  readonly maxBody: number
  /** Gets each exchange when it has ended. */
  readonly onExchange: (exchange: Omit<Exchange, 'number'>, problem?: string) => void
}

/** These are about one connection, and not passed on. */
const HOP_BY_HOP = ['connection', 'keep-alive', 'proxy-connection', 'upgrade', 'http2-settings', 'te', 'expect']

/** A large upload may take its time, a client may poll rarely, and a token may be long. */
const SERVER_OPTIONS = { keepAlive: true, requestTimeout: 0, keepAliveTimeout: 65_000, maxHeaderSize: 64 * 1024 }

/** The service has sent nothing for too long. */
class UpstreamTimeout extends Error {
  readonly code = 'ETIMEDOUT'
}

/**
 * Passes requests on to a service, and its replies back, unchanged and as they come. HTTP/1.1, with connections that
 * stay open on both sides; certificates are checked.
 */
export class ReverseProxy {
  readonly #options: ProxyOptions
  readonly #agent: Agent
  readonly #proxy: ProxyServer
  readonly server: Server
  readonly #open = new Map<IncomingMessage, Passing>()

  constructor(options: ProxyOptions) {
    this.#options = options
    const { upstream } = options
    this.#agent = new (upstream.protocol === 'https:' ? TlsAgent : Agent)({ keepAlive: true })
    this.#proxy = createProxyServer({
      target: targetOf(upstream),
      agent: this.#agent,
      changeOrigin: true,
      preserveHeaderKeyCase: true,
      // The request has a timeout of its own, which also counts while it connects.
      proxyTimeout: 0
    })
    this.#proxy.on('proxyReq', (outgoing, request) => {
      const passing = this.#open.get(request)
      if (passing === undefined) return
      // The library gives some requests a length.
      if (request.headers['content-length'] === '0' && !passing.hasLength) outgoing.removeHeader('content-length')
      passing.requestBody.follow(request)
      const { socket } = outgoing
      if (socket === null) return
      const end = onSilence(socket, options.timeout, () => outgoing.destroy(new UpstreamTimeout('no reply in time')))
      outgoing.once('close', end)
    })
    this.#proxy.on('proxyRes', (reply, request) => {
      const passing = this.#open.get(request)
      if (passing === undefined) return
      for (const name of HOP_BY_HOP) Reflect.deleteProperty(reply.headers, name)
      if (passing.isLast) reply.headers.connection = 'close'
      passing.body.follow(reply)
      reply.once('end', () => {
        this.#end(request, reply)
      })
      // It has ended before, unless a part is missing.
      reply.once('close', () => {
        this.#end(request, undefined, 'the reply was cut off')
      })
    })
    // A client that leaves while the service works: the service may have done what was asked.
    this.#proxy.on('econnreset', (_, request) => {
      this.#end(request, undefined, 'the client has left')
    })
    this.#proxy.on('error', (error, request, response) => {
      if (request !== undefined && response instanceof ServerResponse) this.#fail(error, request, response)
    })
    // Requests of one connection may come before the replies to those before; Node puts the replies in order.
    this.server = createServer(SERVER_OPTIONS, (request, response) => {
      this.#pass(request, response)
    })
  }

  /**
   * Takes no new requests, and lets those in flight end. When the signal is aborted, the others end without a reply.
   * All exchanges have been given to `onExchange` when this is done.
   */
  async close(signal = AbortSignal.abort()): Promise<void> {
    const cut = () => {
      this.#cut()
      this.server.closeAllConnections()
    }
    const closed = new Promise<void>((resolve) => {
      this.server.close(() => {
        resolve()
      })
    })
    if (signal.aborted) cut()
    else signal.addEventListener('abort', cut)
    await closed
    signal.removeEventListener('abort', cut)
    // The last reply is noted right after its connection has ended.
    await new Promise(setImmediate)
    this.#cut()
    this.#agent.destroy()
  }

  /** Ends what is in flight. */
  #cut(): void {
    const problem = 'the recording was stopped'
    for (const [request, { response }] of this.#open) {
      this.#end(request, undefined, problem)
      if (!response.headersSent && !response.destroyed) refuse(response, 503, problem)
    }
  }

  #pass(request: IncomingMessage, response: ServerResponse): void {
    if (request.url?.startsWith('/') !== true) {
      const advice = 'point the client at this address as if it were the service, not as at an HTTP proxy'
      refuse(response, 400, advice)
      return
    }
    const { maxBody, upstream } = this.#options
    this.#open.set(request, {
      response,
      sent: wallTime(),
      // The client names the proxy; the service gets its own name.
      headers: { ...headersOf(request), host: upstream.host },
      hasLength: request.headers['content-length'] !== undefined,
      isLast: /(?:^|,)\s*close\s*(?:,|$)/i.test(request.headers.connection ?? ''),
      requestBody: new KeptBody(maxBody),
      body: new KeptBody(maxBody)
    })
    for (const name of HOP_BY_HOP) Reflect.deleteProperty(request.headers, name)
    response.once('close', () => {
      // Unless the reply has ended before, there is none.
      setImmediate(() => {
        this.#end(request, undefined, 'the client has left')
      })
    })
    this.#proxy.web(request, response).catch((error: unknown) => {
      this.#fail(error as NodeJS.ErrnoException, request, response)
    })
  }

  #fail(error: NodeJS.ErrnoException, request: IncomingMessage, response: ServerResponse): void {
    const isLate = error.code === 'ETIMEDOUT'
    const problem = isLate ? 'the service did not answer in time' : `the service cannot be reached: ${reasonOf(error)}`
    this.#end(request, undefined, problem)
    if (response.headersSent || response.destroyed) response.destroy()
    else refuse(response, isLate ? 504 : 502, problem)
  }

  /** @param reply undefined: none came, or not all of it */
  #end(request: IncomingMessage, reply?: IncomingMessage, problem?: string): void {
    const passing = this.#open.get(request)
    if (passing === undefined) return
    this.#open.delete(request)
    const { sent, headers: requestHeaders } = passing
    const [path, query = ''] = splitOnce(request.url ?? '', '?')
    const headers = reply === undefined ? {} : headersOf(reply)
    const omitted: { requestBody?: number; body?: number } = {}
    const bodies = {
      ...kept('requestBody', omitted, () => passing.requestBody.value(requestHeaders)),
      ...(reply === undefined ? {} : kept('body', omitted, () => passing.body.value(headers))),
      ...(Object.keys(omitted).length === 0 ? {} : { isBodyOmitted: true as const, omitted })
    }
    const exchange = {
      sent,
      answered: Math.max(sent, wallTime()),
      method: request.method ?? 'GET',
      path: joined(this.#options.upstream.pathname, path),
      query,
      requestHeaders,
      status: reply?.statusCode ?? null,
      headers,
      ...bodies
    }
    this.#options.onExchange(exchange, problem)
  }
}

/** The address for Node's client, which takes an IPv6 address without brackets. */
function targetOf({ protocol, host, hostname, port, pathname }: URL) {
  return { protocol, host, hostname: hostname.replace(/^\[(.*)\]$/, '$1'), port, pathname }
}

/** What is noted of a request on its way. */
interface Passing {
  readonly response: ServerResponse
  readonly sent: number
  readonly headers: Readonly<Record<string, string>>
  readonly hasLength: boolean
  /** Whether the client wants its connection to end with the reply. */
  readonly isLast: boolean
  readonly requestBody: KeptBody
  readonly body: KeptBody
}

/** Headers by name, several values joined. */
function headersOf({ headersDistinct }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(headersDistinct).map(([name, values]) => [name, (values ?? []).join(', ')]))
}

/** @param omitted gets the size of a body that is not kept */
function kept(
  field: 'requestBody' | 'body',
  omitted: { requestBody?: number; body?: number },
  read: () => unknown
): Partial<Exchange> {
  try {
    const value = read()
    return value === undefined ? {} : { [field]: value }
  } catch (error) {
    if (!(error instanceof BodyNotKept)) throw error
    omitted[field] = error.size
    return {}
  }
}

function joined(base: string, path: string): string {
  return base === '/' ? path : path === '/' ? base : base.replace(/\/$/, '') + path
}

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

function refuse(response: ServerResponse, status: number, message: string): void {
  // The service may be up again soon, and a body may still come on this connection.
  response.writeHead(status, {
    'content-type': 'application/json',
    [PROXY_ERROR_HEADER]: message,
    connection: 'close'
  })
  response.end(JSON.stringify({ Error: true, Message: `svc-mock record: ${message}` }))
}
