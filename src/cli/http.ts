import { type IncomingMessage, request as requestHttp, type RequestOptions } from 'node:http'

const CONNECT_MS = 10_000

/**
 * Sends a request. (`fetch` takes longer to load than everything else that a command does.) A signal aborts it, or the
 * reply.
 * @returns the reply, whose body has not been read
 * @throws the system's error if there is no reply
 */
export function send(
  url: URL,
  { body, ...options }: RequestOptions & { readonly body?: string } = {}
): Promise<IncomingMessage> {
  const begin = url.protocol === 'https:' ? process.getBuiltinModule('node:https').request : requestHttp
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
    // An error after the reply has begun reaches the reader of its body.
    request.on('error', reject).on('response', resolve)
    request.end(body)
  })
}
