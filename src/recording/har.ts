import { toTimestamp } from '../lib/time.js'
import { VERSION } from '../lib/version.js'
import type { RequestStep } from './format.js'
import { isStep, type Recording } from './recording.js'

/** Where recorded requests seem to go: a recording does not know the address of its server. */
const ORIGIN = 'http://svc-mock.test'

/** Writes the requests of a recording in the HTTP Archive format 1.2, line by line. */
export async function* toHar(recording: Recording): AsyncGenerator<string> {
  const creator = JSON.stringify({ name: 'svc-mock', version: VERSION })
  yield `{"log":{"version":"1.2","creator":${creator},"entries":[`
  let isFirst = true
  for await (const line of recording.lines()) {
    if (!isStep(line) || line.kind !== 'request') continue
    yield `${isFirst ? '' : ','}${JSON.stringify(entryOf(line))}`
    isFirst = false
  }
  yield ']}}'
}

function entryOf(step: RequestStep): object {
  const { method, path, query, body, reply, status, received, replied, trace } = step
  const url = new URL(path, ORIGIN)
  const queryString = Object.entries(query).flatMap(([name, values]) =>
    [values].flat().map((value) => ({ name, value: String(value) }))
  )
  for (const { name, value } of queryString) url.searchParams.append(name, value)
  const time = Math.max(0, replied - received)
  const content = reply === undefined ? '' : JSON.stringify(reply)
  return {
    startedDateTime: toTimestamp(received),
    time,
    request: {
      method,
      url: url.href,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: [],
      queryString,
      headersSize: -1,
      bodySize: -1,
      ...(body === undefined ? {} : { postData: { mimeType: 'application/json', text: JSON.stringify(body) } })
    },
    response: {
      // As browsers do for a connection that was closed.
      status: status ?? 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: [],
      content: { size: Buffer.byteLength(content), mimeType: 'application/json', text: content },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1
    },
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
    _requestId: step.id,
    ...(trace === undefined ? {} : { _traceId: trace }),
    _step: step.step
  }
}
