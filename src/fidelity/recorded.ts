import type { RequestStep } from '../recording/format.js'
import { isStep, openRecording, type Recording } from '../recording/recording.js'
import type { Unnumbered } from './har/read.js'
import { HAR_HEAD, HAR_TAIL, toHarEntry } from './har/write.js'

/** A recording does not contain the address of its server. */
const ORIGIN = 'http://svc-mock.test'

/** Reads the requests of a recording, except those to the control API. @throws {RecordingError} if it cannot be read */
export async function readRecording(file: string): Promise<Unnumbered[]> {
  const { lines } = await openRecording(file)
  const exchanges: Unnumbered[] = []
  for await (const line of lines())
    if (isStep(line) && line.kind === 'request' && line.control !== true) exchanges.push(exchangeOf(line))
  return exchanges
}

const isReplyMissing = ({ status, method, reply }: RequestStep) =>
  status !== null && status !== 204 && method !== 'HEAD' && reply === undefined

/** Times are those of the sandbox, whose clock stands still during a request. */
function exchangeOf(step: RequestStep): Unnumbered {
  const { at, method, path, body, reply, status, retry_after: retryAfter } = step
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
    ...(step.body_omitted === true || isReplyMissing(step) ? { isBodyOmitted: true } : {})
  }
}

function queryOf(query: RequestStep['query']): string {
  const pairs = Object.entries(query).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, String(value)])
  )
  return new URLSearchParams(pairs).toString()
}

/** Writes the requests of a recording as an HTTP Archive, line by line. */
export async function* toHar(recording: Recording): AsyncGenerator<string> {
  yield HAR_HEAD
  let isFirst = true
  for await (const line of recording.lines()) {
    if (!isStep(line) || line.kind !== 'request') continue
    yield `${isFirst ? '' : ','}${JSON.stringify(entryOf(line))}`
    isFirst = false
  }
  yield HAR_TAIL.trim()
}

function entryOf(step: RequestStep): object {
  const { step: number, id, received: sent, replied: answered, body, reply, trace } = step
  const texts = { requestBody: JSON.stringify(body), body: JSON.stringify(reply) }
  // Their sizes are unknown.
  const omitted = {
    ...(step.body_omitted === true ? { requestBody: -1 } : {}),
    ...(isReplyMissing(step) ? { body: -1 } : {})
  }
  return {
    ...toHarEntry({ ...exchangeOf(step), ...texts, omitted, number, sent, answered }, ORIGIN, 'application/json'),
    _requestId: id,
    ...(trace === undefined ? {} : { _traceId: trace }),
    _step: number
  }
}
