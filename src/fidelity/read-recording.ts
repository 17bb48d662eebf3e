import type { RequestStep } from '../recording/format.js'
import { isStep, openRecording } from '../recording/recording.js'
import type { Unnumbered } from './har/read.js'

/**
 * Reads the requests of a recording, but not those to the control API.
 * @throws {RecordingError} if it cannot be read
 */
export async function readRecording(file: string): Promise<Unnumbered[]> {
  const { lines } = await openRecording(file)
  const exchanges: Unnumbered[] = []
  for await (const line of lines())
    if (isStep(line) && line.kind === 'request' && line.control !== true) exchanges.push(exchangeOf(line))
  return exchanges
}

/** The time is that of the sandbox, in which a request takes none. */
function exchangeOf(step: RequestStep): Unnumbered {
  const { at, method, path, body, reply, status, retry_after: retryAfter } = step
  const isReplyMissing = status !== null && status !== 204 && method !== 'HEAD' && reply === undefined
  return {
    sent: at,
    answered: at,
    method,
    path,
    query: queryOf(step.query),
    requestHeaders: {},
    ...(body === undefined ? {} : { requestBody: body }),
    status,
    headers: retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
    ...(reply === undefined ? {} : { body: reply }),
    ...(step.body_omitted === true || isReplyMissing ? { isBodyOmitted: true } : {})
  }
}

function queryOf(query: RequestStep['query']): string {
  const pairs = Object.entries(query).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, String(value)])
  )
  return new URLSearchParams(pairs).toString()
}
