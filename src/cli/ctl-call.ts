import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { objectOf } from '../lib/json.js'
import { parsed } from '../lib/parsed.js'
import { send } from './http.js'
import type { Target } from './target.js'

/** A call of the control API. */
export interface ControlCall {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  /** Path below `/_mock`. */
  readonly path: string
  readonly body?: unknown
}

/** A failed call. The message is one line for the user. */
export class CallError extends Error {
  /** 1: the server refused it; 3: it did not answer. */
  readonly exitCode: 1 | 3

  constructor(exitCode: 1 | 3, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}

/** Calls the control API. @returns a successful reply, whose body has not been read @throws {CallError} */
export async function openReply(target: Target, call: ControlCall, signal?: AbortSignal): Promise<IncomingMessage> {
  const { url, key, token } = target
  const { method, path, body } = call
  const headers = {
    ...(key === undefined ? {} : { 'x-api-key': key }),
    ...(token === undefined ? {} : { 'x-mock-token': token }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' })
  }
  const reply = await send(new URL(`/_mock${path}`, url), {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal })
  }).catch((error: unknown) => {
    throw noAnswer(url, error)
  })
  const { statusCode: status = 0 } = reply
  if (status < 200 || status > 299) throw refusal(target, status, await textOf(target, reply))
  if (reply.headers['content-type']?.startsWith('text/html') === true) throw anotherServer(url, 'a web page')
  if (reply.headers['x-request-id'] === undefined) throw anotherServer(url, `status ${status}`)
  return reply
}

/** Calls the control API. @returns the text of the reply @throws {CallError} */
export async function textOfCall(target: Target, call: ControlCall): Promise<string> {
  return textOf(target, await openReply(target, call))
}

function textOf({ url }: Target, reply: IncomingMessage): Promise<string> {
  return text(reply).catch((error: unknown) => {
    throw noAnswer(url, error)
  })
}

function noAnswer(url: string, error: unknown): CallError {
  const why = (error as NodeJS.ErrnoException).code ?? (error as Error).message
  return new CallError(3, `${url} does not answer (${why}); start 'svc-mock serve', or set --url to another server`)
}

function refusal({ url, key, token }: Target, status: number, text: string): CallError {
  const { Message: message } = objectOf(parsed(text))
  if (typeof message !== 'string') return anotherServer(url, `status ${status}`)
  const remedy =
    status === 401 && key === undefined
      ? ' Set --key or SVC_MOCK_KEY.'
      : status === 403 && token === undefined && message.includes('X-Mock-Token')
        ? ' Set --token or SVC_MOCK_TOKEN.'
        : ''
  return new CallError(1, `${message}${remedy}`)
}

function anotherServer(url: string, answer: string): CallError {
  return new CallError(1, `${url} answers with ${answer}, but not like svc-mock; set --url to the right server`)
}
