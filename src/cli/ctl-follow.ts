import type { IncomingMessage } from 'node:http'
import type { RecordedRequest, RequestFilter } from '../test-control/handle/types.js'
import { CallError, openReply } from './ctl-call.js'
import { print, printError } from './print.js'
import { printable } from './table.js'
import type { Target } from './target.js'

/** A request as the stream describes it. */
type StreamedRequest = Omit<RecordedRequest, 'query' | 'body'>

/**
 * Prints new requests of a sandbox until Ctrl-C, or until nobody reads the output any longer.
 * @param isForPeople whether to print readable lines instead of JSON
 * @throws {CallError} if the server refuses, or ends the stream
 */
export async function followRequests(target: Target, filter: RequestFilter, isForPeople: boolean): Promise<void> {
  const abort = new AbortController()
  const { signal } = abort
  const stop = () => abort.abort()
  process.once('SIGINT', stop)
  process.stdout.once('error', stop)
  try {
    const reply = await openReply(target, { method: 'GET', path: '/stream' }, signal)
    let isFollowing = false
    for await (const { event, data } of eventsOf(reply)) {
      if (event === 'request') {
        const request = JSON.parse(data) as StreamedRequest
        if (isWanted(request, filter)) print(isForPeople ? lineOf(request) : data)
      } else if (event === 'resync') {
        // Every stream begins with one.
        if (isFollowing) printError("svc-mock: some requests were skipped here; 'svc-mock ctl requests' lists them")
        isFollowing = true
      }
    }
  } catch (error) {
    if (signal.aborted) return
    if (error instanceof CallError) throw error
  } finally {
    process.off('SIGINT', stop)
    process.stdout.off('error', stop)
  }
  if (!signal.aborted)
    throw new CallError(3, `${target.url} ended the stream: the server was stopped, or the sandbox removed`)
}

function isWanted(request: StreamedRequest, { operation, status, request_id: id, trace }: RequestFilter): boolean {
  return (
    (operation === undefined || request.operation === operation) &&
    (id === undefined || request.request_id === id) &&
    (trace === undefined || request.trace === trace) &&
    (status === undefined || isOfStatus(String(request.status), status.toLowerCase()))
  )
}

const isOfStatus = (status: string, wanted: string) =>
  wanted.endsWith('xx') ? status[0] === wanted[0] : status === wanted

function lineOf(request: StreamedRequest): string {
  const { received, method, path, status, duration_ms: duration, operation, error } = request
  const parts = [received.slice(11, 23), method, path, String(status ?? '-'), `${duration} ms`, operation, error]
  return printable(parts.filter((part) => part !== null).join(' '))
}

/** Server-sent events, each with one line of data. */
async function* eventsOf(reply: IncomingMessage): AsyncGenerator<{ readonly event: string; readonly data: string }> {
  let rest = ''
  for await (const text of reply.setEncoding('utf8') as AsyncIterable<string>) {
    const blocks = `${rest}${text}`.split('\n\n')
    rest = blocks.pop()!
    for (const block of blocks) {
      const event = /^event: (.*)$/m.exec(block)?.[1]
      const data = /^data: (.*)$/m.exec(block)?.[1]
      if (event !== undefined && data !== undefined) yield { event, data }
    }
  }
}
