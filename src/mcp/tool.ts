import type { ToolAnnotations } from '@modelcontextprotocol/server'
import { type Static, type TObject, type TOptional, type TProperties, type TUnknown, Type } from '@sinclair/typebox'
import { check } from '../interface/check.js'
import { enumeration } from '../interface/schemas.js'
import { fillPath, queryText } from '../lib/fill-path.js'
import { isObject } from '../lib/json.js'
import { parsed } from '../lib/parsed.js'
import type { TextReply } from '../lib/send-json.js'
import { id, strict } from '../lib/strict.js'
import { isVisible, NOT_VISIBLE } from '../lib/visible.js'
import { type ExpressionError, queryOf } from '../recording/expression.js'
import { callNamed } from '../test-control/calls.js'
import type { ControlCall } from '../test-control/control-call.js'
import type { Envelope } from '../test-control/handle/call-error.js'
import type { McpClient, McpRequest } from './client.js'
import { fieldsIn, Refusal, wrongArgument } from './refusal.js'

export interface Answer {
  readonly message?: string
  /** RequestID of the change. */
  readonly request_id?: string
  /** HTTP status, if it is not always 200. */
  readonly status?: number
  /** The part to which the argument `select` applies. */
  readonly result?: unknown
  /** What to do about a failure; marks the answer as an error. */
  readonly remedy?: string
}

/** One call of a tool. */
export interface ToolCall {
  readonly client: McpClient
  /** Aborted when nobody waits for the result any longer. */
  readonly signal: AbortSignal
  /** Whether the caller polls for the result, so the call may take long. */
  readonly isTask?: boolean
  /** Sends a request to the sandbox of the call. */
  readonly send: (request: Omit<McpRequest, 'key' | 'signal'>) => Promise<TextReply>
  /**
   * Makes a call of test control.
   * @param name its operationId
   * @param input the ids in its path, and the fields of its body or query
   * @throws {Refusal} if an id is missing, or the server refuses the call
   */
  readonly control: (name: string, input?: object) => Promise<Answer>
}

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: TObject
  readonly annotations: ToolAnnotations
  /** Whether it takes so long that a client should poll for its result. */
  readonly isLong: boolean
  readonly run: (input: unknown, call: Pick<ToolCall, 'client' | 'signal' | 'isTask'>) => Promise<Answer>
}

interface ToolSpec<T extends TProperties> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: T
  readonly isRead?: boolean
  /** Whether it can delete or overwrite state. */
  readonly isDestructive?: boolean
  /** Whether it takes long, affects more than the server, and uses none of its sandboxes. */
  readonly isApart?: boolean
  readonly run: (input: Static<TObject<T>>, call: ToolCall) => Answer | Promise<Answer>
}

const KEY = { key: Type.Optional(id('Key of another sandbox; that of the session if absent.')) }
const SELECT = {
  select: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2000,
      description: 'JMESPath expression that selects a part of result, such as keys(@).'
    })
  )
}

/** Makes a tool that checks its arguments, uses the sandbox of `key`, and applies `select` to its result. */
export function defineTool<T extends TProperties>(spec: ToolSpec<T>): Tool {
  const { name, title, description, input, isRead = false, isDestructive = false, isApart = false } = spec
  const properties: TProperties = { ...input, ...(isApart ? {} : KEY), ...SELECT }
  const inputSchema = strict(properties)
  return {
    name,
    title,
    description,
    inputSchema,
    annotations: {
      readOnlyHint: isRead,
      destructiveHint: isDestructive,
      idempotentHint: isRead,
      openWorldHint: isApart
    },
    isLong: isApart,
    run: async (given, { client, signal, isTask = false }) => {
      check(inputSchema, given)
      const { key, select, ...rest } = given as { readonly key?: string; readonly select?: string }
      if (key !== undefined && !isVisible(key)) throw wrongArgument('key', NOT_VISIBLE)
      const send: ToolCall['send'] = (request) => client.request({ ...request, key, signal })
      const answer = await spec.run(rest as Static<TObject<T>>, {
        client,
        signal,
        isTask,
        send,
        control: controlBy(client, send)
      })
      return select === undefined ? answer : { ...answer, result: selected(answer.result, select) }
    }
  }
}

interface Action<T extends TProperties> {
  /** The arguments that it accepts; others are refused. */
  readonly takes?: readonly (keyof T & string)[]
  readonly needs?: readonly (keyof T & string)[]
  readonly run: ToolSpec<T>['run']
}

/** An action that makes a call of test control, with arguments named like the fields of its body or query. */
interface CallAction {
  readonly takes?: readonly string[]
  readonly needs?: undefined
  /** Name of the call. */
  readonly run: string
}

type Actions<T extends TProperties> = Omit<ToolSpec<T>, 'run' | 'input'> & {
  /** The arguments that are not, or not described, like the fields of a call. */
  readonly input?: T
  readonly actions: Readonly<Record<string, Action<T> | CallAction>>
}

/** Makes a tool whose argument `action` selects one of several functions. */
export function defineActions<T extends TProperties>({ actions, input, ...spec }: Actions<T>): Tool {
  const called: TProperties = Object.fromEntries(
    Object.values(actions).flatMap(({ takes = [], run }) =>
      typeof run === 'string' ? Object.entries(fieldsOf(run, takes)) : []
    )
  )
  return defineTool({
    ...spec,
    input: { action: enumeration(Object.keys(actions), 'What to do.'), ...called, ...input },
    run: (given, call) => {
      const { action, ...rest } = given as unknown as Readonly<Record<string, unknown>> & { readonly action: string }
      const { takes = [], needs = [], run } = actions[action]!
      const other = Object.keys(rest).find((name) => !takes.includes(name))
      if (other !== undefined) {
        const known = takes.length === 0 ? '' : `; it takes ${takes.join(', ')}`
        throw wrongArgument(other, `cannot be used with the action ${action}${known}`)
      }
      const missing = needs.find((name) => rest[name] === undefined)
      if (missing !== undefined) throw wrongArgument(missing, `is needed for the action ${action}`)
      return typeof run === 'string' ? call.control(run, rest) : run(rest as Static<TObject<T>>, call)
    }
  })
}

function selected(result: unknown, expression: string): unknown {
  try {
    return queryOf(expression)(result ?? null)
  } catch (error) {
    throw wrongArgument('select', (error as ExpressionError).message.replace(/^the expression |\.$/g, ''))
  }
}

/** Makes calls of test control through a client. */
export function controlBy({ url, remedies }: McpClient, send: ToolCall['send']): ToolCall['control'] {
  return async (name, input = {}) => {
    const { method, path, body } = requestOf(callNamed(name), input as Input)
    const reply = await send({ method, path: `/_mock${path}`, body })
    const envelope = envelopeOf(url, reply)
    const { Message: message = '', RequestID: requestId = reply.requestId, Result: result } = envelope
    if (reply.status >= 400) {
      throw new Refusal(message, {
        status: reply.status,
        request_id: requestId,
        ...fieldsIn(envelope.ErrorDetails),
        ...remedyOf(reply.status, message, remedies)
      })
    }
    return { message, ...(method === 'GET' ? {} : { request_id: requestId }), result }
  }
}

type Input = Readonly<Record<string, unknown>>

/** The request of a call: ids go into the path, the rest into the body or the query. */
function requestOf(call: ControlCall, input: Input) {
  const { method, params = {}, body } = call
  for (const [name, meaning] of Object.entries(params))
    if (typeof input[name] !== 'string' || input[name] === '')
      throw wrongArgument(`input.${name}`, `is needed (${meaning.replace(/\.$/, '')})`)
  const path = fillPath(call.path, input)
  const rest = Object.fromEntries(Object.entries(input).filter(([field]) => !Object.hasOwn(params, field)))
  return body === undefined ? { method, path: `${path}${queryText(rest)}` } : { method, path, body: rest }
}

/** The schemas of some fields of the body or query of a call. */
export function fieldsOf<K extends string>(name: string, fields: readonly K[]): Record<K, TOptional<TUnknown>> {
  const { body, query } = callNamed(name)
  const { properties } = (body ?? query ?? Type.Object({})) as TObject
  return Object.fromEntries(fields.map((field) => [field, properties[field]])) as Record<K, TOptional<TUnknown>>
}

function envelopeOf(url: string, { status, text }: TextReply): Envelope {
  const envelope = parsed(text)
  if (isObject(envelope) && typeof envelope['Message'] === 'string') return envelope
  throw new Refusal(`${url} answers with status ${status}, but not like svc-mock.`, {
    status,
    remedy: 'Start svc-mock mcp with the address of a running svc-mock: --url URL.'
  })
}

/** What to do if the credentials are refused. */
export function remedyOf(
  status: number,
  message: string,
  { key, token }: McpClient['remedies']
): { readonly remedy?: string } {
  if (status === 401) return { remedy: key }
  return status === 403 && message.includes('X-Mock-Token') ? { remedy: token } : {}
}
