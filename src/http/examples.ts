import { success } from '../interface/envelope.js'
import { MESSAGES } from '../interface/messages.js'

/** A call that works on the demo data, and its reply. The parameters of its path have examples of their own. */
export interface Example<Body = unknown> {
  readonly body?: Body
  /** Payload of the reply; absent if it has none. */
  readonly result?: unknown
}

/** Examples by operationId. */
export type Examples<Body = unknown> = Readonly<Record<string, Example<Body>>>

/** Key in a route schema for its examples, for the OpenAPI document. */
export const EXAMPLES = 'x-own-examples'

/** A part of an OpenAPI document with a body: a request, or a reply. */
interface Carrier {
  readonly content?: Readonly<Record<string, { examples?: Record<string, { value: unknown }> }>>
}

/** An operation of an OpenAPI document. */
interface DescribedOperation {
  readonly requestBody?: Carrier
  readonly responses: Readonly<Record<string, Carrier>>
}

const REQUEST_ID = '8377b716-f2b1-4ea4-93d6-0f24b9bc7a0d'

/**
 * Adds examples to an operation of an OpenAPI document. They have the names of their operations, because that is where
 * those that share a method and path can be found.
 */
export function showExamples({ requestBody, responses }: DescribedOperation, examples: Examples): void {
  for (const [operationId, example] of Object.entries(examples)) {
    show(requestBody, operationId, example.body)
    show(successIn(responses), operationId, replyOf(operationId, example))
  }
}

/** The description of a success: no other status is less. */
const successIn = (responses: DescribedOperation['responses']) => Object.values(responses)[0]

function show(carrier: Carrier | undefined, operationId: string, value: unknown): void {
  const media = carrier?.content?.['application/json']
  if (media !== undefined && value !== undefined) media.examples = { ...media.examples, [operationId]: { value } }
}

function replyOf(operationId: string, { result }: Example): unknown {
  const message = (MESSAGES as Readonly<Record<string, string>>)[operationId]
  return message === undefined ? result : success({ id: REQUEST_ID }, message, result)
}
