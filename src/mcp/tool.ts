import type { ToolAnnotations } from '@modelcontextprotocol/server'
import { type Static, type TObject, type TProperties, Type } from '@sinclair/typebox'
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
      // Before the call, which may change something.
      const pick = select === undefined ? undefined : selecting(() => queryOf(select))
      const send: ToolCall['send'] = (request) => client.request({ ...request, key, signal })
      const answer = await spec.run(rest as Static<TObject<T>>, {
        client,
        signal,
        isTask,
        send,
        control: controlBy(client, send)
      })
      // A part of a refusal would not say why.
      if (pick === undefined || answer.remedy !== undefined) return answer
      return { ...answer, result: selecting(() => pick(answer.result ?? null), '; the call itself was made') }
    }
  }
}

/** One of the actions of a tool. */
interface Action {
  /** The arguments that it accepts; others are refused. */
  readonly takes: TProperties
  readonly run: (input: never, call: ToolCall) => Answer | Promise<Answer>
}

/** Makes an action that is not one call of test control. */
export const defineAction = <T extends TProperties>(takes: T, run: ToolSpec<T>['run']): Action => ({ takes, run })

type Actions = Omit<ToolSpec<TProperties>, 'run' | 'input'> & {
  /** Calls of test control by their names, or others. */
  readonly actions: Readonly<Record<string, string | Action>>
}

/** Makes a tool whose argument `action` selects one of several actions. */
export function defineActions({ actions, ...spec }: Actions): Tool {
  const known = new Map(
    Object.entries(actions).map(([name, one]) => [name, typeof one === 'string' ? actionOf(one) : one])
  )
  const all = [...known.values()].flatMap(({ takes }) => Object.entries(takes))
  return defineTool({
    ...spec,
    input: {
      action: enumeration([...known.keys()], 'What to do.'),
      ...Object.fromEntries(all.map(([name, schema]) => [name, Type.Optional(schema)]))
    },
    run: (given, call) => {
      const { action, ...input } = given as Input & { readonly action: string }
      const { takes, run } = known.get(action)!
      const names = Object.keys(takes)
      const other = Object.keys(input).find((name) => !names.includes(name))
      if (other !== undefined) {
        const taken = names.length === 0 ? '' : `; it takes ${names.join(', ')}`
        throw wrongArgument(other, `cannot be used with the action ${action}${taken}`)
      }
      const missing = strict(takes).required?.find((name) => input[name] === undefined)
      if (missing !== undefined) throw wrongArgument(missing, `is needed for the action ${action}`)
      return run(input as never, call)
    }
  })
}

/** A call as an action. Its arguments are the ids in the path, and the fields of the body or query, or a document. */
function actionOf(name: string): Action {
  const { params = {}, body, query, checksBody } = callNamed(name)
  if (checksBody === true)
    return defineAction({ document: DOCUMENT }, ({ document }, { control }) => control(name, document))
  const ids = Object.entries(params).map(([param, meaning]) => [param, id(meaning)] as const)
  const { properties } = (body ?? query ?? Type.Object({})) as TObject
  return defineAction({ ...Object.fromEntries(ids), ...properties }, (input, { control }) => control(name, input))
}

const DOCUMENT = Type.Record(Type.String(), Type.Unknown(), { description: 'The document, in the form of read.' })

/** Compiles or applies a `select`. @param note what the caller should know if that fails */
function selecting<T>(step: () => T, note = ''): T {
  try {
    return step()
  } catch (error) {
    const reason = (error as ExpressionError).message.replace(/^the expression |\.$/g, '')
    throw wrongArgument('select', `${reason}${note}`)
  }
}

/** Makes calls of test control through a client. */
export function controlBy({ url, remedies }: McpClient, send: ToolCall['send']): ToolCall['control'] {
  return async (name, input = {}) => {
    const call = callNamed(name)
    const { method, path, body } = requestOf(call, input as Input)
    const reply = await send({ method, path: `/_mock${path}`, body })
    const envelope = envelopeOf(url, reply, call)
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

function envelopeOf(url: string, { status, text }: TextReply, { otherType }: ControlCall): Envelope {
  const envelope = parsed(text)
  if (isObject(envelope) && typeof envelope['Message'] === 'string') return envelope
  if (status === 200 && otherType !== undefined) return { Message: `As ${otherType}.`, Result: text }
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
