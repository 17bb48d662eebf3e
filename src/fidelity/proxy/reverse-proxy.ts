import {
  Agent,
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request as sendByHttp,
  type Server,
  type ServerResponse,
  STATUS_CODES
} from 'node:http'
import { Agent as TlsAgent, request as sendByHttps } from 'node:https'
import { foreignHost, foreignPage, type Trusted } from '../../interface/foreign-pages.js'
import { inNextTurn, onSilence, wallTime } from '../../lib/time.js'
import { CONNECTION_HEADERS } from '../masking/harmless.js'
import type { Passed } from '../passed.js'
import { keepBody, type Room } from './kept-body.js'

export interface ProxyOptions {
  /** The address of the service, with its base path. */
  readonly upstream: URL
  readonly host: string
  /** Names that clients may use for the proxy, in addition to localhost and `host`. */
  readonly allowedHost: readonly string[]
  /** How long the service may send nothing, in milliseconds. */
  readonly timeout: number
  /** Maximum size of a body that is kept, in bytes. */
  readonly maxBody: number
  /** Gets each exchange that has ended. Resolves when the bodies are no longer needed. */
  readonly onExchange: (passed: Omit<Passed, 'number'>, problem?: string) => Promise<void>
}

/** Methods that may be sent again. */
const REPEATABLE = ['GET', 'HEAD', 'OPTIONS']

/** Says how long a body is; HTTP/1.0 knows only the first. */
const FRAMING: readonly string[] = ['content-length', 'transfer-encoding']

/** A large upload may take its time, a client may poll rarely, and a token may be long. */
const SERVER_OPTIONS = { keepAlive: true, requestTimeout: 0, keepAliveTimeout: 65_000, maxHeaderSize: 64 * 1024 }

/** Maximum size of all bodies that are kept at once, in bytes. */
const MOST_KEPT = 32 * 1024 * 1024

const LATE = new Error('the service did not reply in time')
const SWITCHED = new Error('the service switched to another protocol without being asked')

/** Sends a head as Latin-1, as it came; `flushHeaders()` would encode it as UTF-8. */
const NOTHING = Buffer.alloc(0)

/** A request in flight. */
interface Passing {
  readonly response: ServerResponse
  readonly sent: number
  readonly sentBody: ReturnType<typeof keepBody>
  readonly receivedBody: ReturnType<typeof keepBody>
  outgoing?: ClientRequest
}

/**
 * Streams requests to a service, and its replies back, unchanged. It speaks HTTP/1.1, keeps connections open on both
 * sides, and verifies certificates. An error ends only one exchange.
 */
export class ReverseProxy {
  readonly #options: ProxyOptions
  readonly #trusted: Trusted
  readonly #agent: Agent
  readonly #room: Room = { left: MOST_KEPT }
  readonly server: Server
  readonly #open = new Map<IncomingMessage, Passing>()

  constructor(options: ProxyOptions) {
    this.#options = options
    const hosts = [options.host, ...options.allowedHost].map((host) => host.toLowerCase())
    this.#trusted = { corsOrigin: [], hosts: new Set(hosts) }
    this.#agent = new (options.upstream.protocol === 'https:' ? TlsAgent : Agent)({ keepAlive: true })
    this.server = createServer(SERVER_OPTIONS, (request, response) => this.#pass(request, response))
  }

  /**
   * Stops accepting requests, and waits for those in flight. When the signal is aborted, the rest end without a reply.
   * Before this resolves, `onExchange` gets all exchanges.
   */
  async close(signal = AbortSignal.abort()): Promise<void> {
    const cut = () => {
      this.#cut()
      this.server.closeAllConnections()
    }
    const closed = new Promise<void>((resolve) => {
      this.server.close(() => resolve())
    })
    if (signal.aborted) cut()
    else signal.addEventListener('abort', cut)
    await closed
    signal.removeEventListener('abort', cut)
    // `#pass` reports the last reply in the turn after its connection closed.
    await new Promise(inNextTurn)
    this.#cut()
    this.#agent.destroy()
  }

  #cut(): void {
    const problem = 'the recorder was stopped'
    for (const [request, { response, outgoing }] of this.#open) {
      this.#end(request, undefined, problem)
      if (!response.headersSent && !response.destroyed) refuse(response, 503, problem)
      outgoing?.destroy()
    }
  }

  #pass(request: IncomingMessage, response: ServerResponse): void {
    // First, because such a request also names another host.
    if (request.url?.startsWith('/') !== true) {
      refuse(response, 400, 'use this address as that of the service, not as that of an HTTP proxy')
      return
    }
    const stranger = foreignPage(request.headers, this.#trusted) ?? foreignHost(request.headers, this.#trusted)
    if (stranger !== undefined) {
      refuse(response, 403, `the proxy refuses ${stranger.replace('; allow it with --cors-origin', '')}`)
      return
    }
    const { maxBody } = this.#options
    const passing: Passing = {
      response,
      sent: wallTime(),
      sentBody: keepBody(maxBody, this.#room),
      receivedBody: keepBody(maxBody, this.#room)
    }
    this.#open.set(request, passing)
    response.once('close', () => {
      // In the next turn, so that a complete reply counts. Without one, the service may still have done its work.
      inNextTurn(() => {
        this.#end(request, undefined, 'the client disconnected')
        const { outgoing } = passing
        if (!response.writableFinished) outgoing?.destroy()
        request.unpipe().resume()
        if (outgoing === undefined || outgoing.destroyed) return
        // An upload can go on after an early reply, but Node's client no longer says when it can take more.
        request.on('end', () => outgoing.end())
        request.on('data', (chunk: Buffer) => {
          if (outgoing.writableLength < MOST_KEPT) outgoing.write(chunk)
          else outgoing.destroy()
        })
      })
    })
    response.on('error', () => undefined)
    try {
      passing.outgoing = this.#send(request, passing)
    } catch (error) {
      this.#fail(error as Error, request, passing)
    }
  }

  /** @throws the error of Node's client if it refuses to send such a request */
  #send(request: IncomingMessage, passing: Passing): ClientRequest {
    const { upstream, timeout } = this.#options
    const { method = 'GET', url = '/' } = request
    const send = upstream.protocol === 'https:' ? sendByHttps : sendByHttp
    const outgoing = send(upstream, {
      agent: this.#agent,
      method,
      path: joined(upstream.pathname, url),
      maxHeaderSize: SERVER_OPTIONS.maxHeaderSize,
      headers: { ...passedOn(request), host: upstream.host }
    })
    const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers
    // Node's client would announce a body otherwise.
    const isBodiless = coding === undefined && length === '0'
    if (isBodiless) outgoing.useChunkedEncodingByDefault = false
    outgoing.on('socket', (socket) => {
      const end = onSilence(socket, timeout, () => {
        // A client that sends or reads slowly is not a silent service.
        const waitsForClient = passing.response.writableNeedDrain || !(request.complete || outgoing.writableNeedDrain)
        if (!waitsForClient) outgoing.destroy(LATE)
      })
      outgoing.once('close', end)
    })
    outgoing.on('upgrade', (_reply, socket) => {
      socket.destroy()
      this.#fail(SWITCHED, request, passing)
    })
    const canRepeat = isBodiless && REPEATABLE.includes(method)
    let received: IncomingMessage | undefined
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      // More bytes than its head announces do not spoil a reply.
      if (received?.complete === true) return
      // The service closed an idle connection just as this request was sent.
      const isStale = outgoing.reusedSocket && error.code === 'ECONNRESET' && received === undefined
      if (canRepeat && isStale && this.#open.has(request)) passing.outgoing = this.#send(request, passing)
      else this.#fail(error, request, passing)
    })
    outgoing.on('close', () => {
      // The client may still be reading a reply; `#answer` notices if it was cut off.
      if (passing.outgoing === outgoing && received === undefined)
        this.#fail(new Error('the connection was closed'), request, passing)
    })
    outgoing.on('response', (reply) => {
      received = reply
      try {
        // Without an Upgrade header, Node reports no upgrade but a reply.
        if (reply.statusCode === 101) throw SWITCHED
        this.#answer(request, passing, reply)
      } catch (error) {
        // Node cannot send such a status, reason or header.
        reply.destroy()
        this.#fail(error as Error, request, passing)
      }
    })
    if (isBodiless) outgoing.end()
    else {
      // The service may answer before the body, for which Node would wait.
      outgoing.write(NOTHING)
      passing.sentBody.follow(request)
      request.pipe(outgoing)
    }
    return outgoing
  }

  /** @throws an error of Node's server if the head of the reply cannot be sent */
  #answer(request: IncomingMessage, { response, receivedBody }: Passing, reply: IncomingMessage): void {
    const isLast = !this.server.listening || /(?:^|,)\s*close\s*(?:,|$)/i.test(request.headers.connection ?? '')
    response.sendDate = false
    const framing = request.httpVersion === '1.0' ? FRAMING.slice(0, 1) : FRAMING
    const headers = { ...passedOn(reply, framing), ...(isLast ? { connection: 'close' } : {}) }
    // Node refuses to send control characters in a reason.
    const reason = reply.statusMessage?.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?') ?? ''
    response.writeHead(reply.statusCode ?? 0, reason, headers)
    response.write(NOTHING)
    receivedBody.follow(reply)
    reply.pipe(response, { end: false })
    reply.once('end', () => {
      response.addTrailers(pairs(reply.rawTrailers))
      response.end()
      this.#end(request, reply)
    })
    // A complete reply has ended before.
    reply.once('close', () => {
      this.#end(request, undefined, 'the reply was cut off')
      if (!response.writableEnded) response.destroy()
    })
  }

  /** Ends an exchange without a reply, unless it has already ended. */
  #fail(error: NodeJS.ErrnoException, request: IncomingMessage, { response }: Passing): void {
    if (!this.#open.has(request)) return
    const isLate = error === LATE
    const problem =
      isLate || error === SWITCHED
        ? error.message
        : `the service cannot be reached, or its reply cannot be read: ${reasonOf(error)}`
    this.#end(request, undefined, problem)
    if (response.headersSent || response.destroyed) response.destroy()
    else refuse(response, isLate ? 504 : 502, problem)
  }

  /** Reports an exchange that has ended. @param reply undefined if there is no complete one */
  #end(request: IncomingMessage, reply?: IncomingMessage, problem?: string): void {
    const passing = this.#open.get(request)
    if (passing === undefined) return
    this.#open.delete(request)
    const { upstream } = this.#options
    const { sent, sentBody, receivedBody } = passing
    const [, path = '', query = ''] = /^([^?]*)\??(.*)$/s.exec(request.url ?? '') ?? []
    const passed = {
      sent,
      answered: Math.max(sent, wallTime()),
      method: request.method ?? 'GET',
      path: joined(upstream.pathname, path),
      query,
      // As the service gets them: the client sends the host of the proxy.
      requestHeaders: { ...headersOf(request), host: upstream.host },
      status: reply?.statusCode ?? null,
      headers: reply === undefined ? {} : headersOf(reply),
      sentBody: sentBody.take(),
      receivedBody: reply === undefined ? { size: 0 } : receivedBody.take()
    }
    void this.#options.onExchange(passed, problem).finally(() => {
      sentBody.release()
      receivedBody.release()
    })
  }
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  const reason = code ?? message
  return /CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS/.test(reason)
    ? `${reason}; NODE_EXTRA_CA_CERTS can name a file with the certificate of your own CA`
    : reason
}

function headersOf({ headersDistinct }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(headersDistinct).map(([name, values]) => [name, (values ?? []).join(', ')]))
}

/** The headers to pass on, in their case and order. */
function passedOn(
  { rawHeaders, headers: { connection = '' } }: IncomingMessage,
  framing = FRAMING
): Record<string, string[]> {
  const named = connection.split(',').map((name) => name.trim().toLowerCase())
  const dropped = new Set([...CONNECTION_HEADERS, 'expect', 'http2-settings', ...named])
  // Without its length, the rest of a body would be another request.
  for (const name of framing) dropped.delete(name)
  const passed = new Map<string, [name: string, values: string[]]>()
  for (const [name, value] of pairs(rawHeaders)) {
    const key = name.toLowerCase()
    if (dropped.has(key)) continue
    const entry = passed.get(key) ?? [name, []]
    entry[1].push(value)
    passed.set(key, entry)
  }
  return Object.fromEntries(passed.values())
}

function pairs(raw: readonly string[]): [name: string, value: string][] {
  return Array.from({ length: raw.length / 2 }, (_, index) => [raw[2 * index]!, raw[2 * index + 1]!])
}

function joined(base: string, path: string): string {
  return base === '/' ? path : path === '/' ? base : base.replace(/\/$/, '') + path
}

function refuse(response: ServerResponse, status: number, message: string): void {
  const body = JSON.stringify({ Error: true, Message: `svc-mock record: ${message}` })
  // `#answer` may have set a reason that cannot be sent, and a length.
  response.writeHead(status, STATUS_CODES[status], {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    // A body may still arrive on this connection.
    connection: 'close'
  })
  response.end(body)
}
