import { type IncomingMessage, request as requestHttp } from 'node:http'

/** What to ask a server for. */
interface Request {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Ends the request, and the reply. */
  readonly signal?: AbortSignal
}

/** How long a connection may take. */
const CONNECT_MS = 10_000

/**
 * Asks a server. (`fetch` takes longer to load than everything else that a command does.)
 * @returns the reply, whose body is still to come
 * @throws the system's error if there is no reply
 */
export async function send(url: URL, { body, ...options }: Request = {}): Promise<IncomingMessage> {
  const begin = url.protocol === 'https:' ? (await import('node:https')).request : requestHttp
  return new Promise((resolve, reject) => {
    const request = begin(url, { ...options, agent: false, timeout: CONNECT_MS })
    request.on('socket', (socket) => {
      socket.once('connect', () => {
        socket.setTimeout(0)
      })
    })
    request.on('timeout', () => {
      request.destroy(new Error(`no connection in ${CONNECT_MS / 1000} s`))
    })
    // One that comes after the reply ends the reply, whose reader is told.
    request.on('error', reject).on('response', resolve)
    request.end(body)
  })
}
