import { success } from '../interface/envelope.js'
import { MESSAGES } from '../interface/messages.js'

/** A call that works on the demo data, and the payload of its reply. Path parameters have their own examples. */
export interface Example<Body = unknown> {
  readonly body?: Body
  readonly result?: unknown
}

/** Examples by operationId. */
export type Examples<Body = unknown> = Readonly<Record<string, Example<Body>>>

/** Key in a route schema for its examples, for the OpenAPI document. */
export const EXAMPLES = 'x-own-examples'

/** A request or a reply in an OpenAPI document. */
interface Carrier {
  readonly content?: Readonly<Record<string, { examples?: Record<string, { value: unknown }> }>>
}

interface DescribedOperation {
  readonly requestBody?: Carrier
  readonly responses: Readonly<Record<string, Carrier>>
}

const REQUEST_ID = '8377b716-f2b1-4ea4-93d6-0f24b9bc7a0d'

/** Adds examples to an operation of an OpenAPI document, named after the operations that share its method and path. */
export function showExamples({ requestBody, responses }: DescribedOperation, examples: Examples): void {
  // The lowest status is that of a success.
  const [success] = Object.values(responses)
  for (const [operationId, example] of Object.entries(examples)) {
    show(requestBody, operationId, example.body)
    show(success, operationId, replyOf(operationId, example))
  }
}

function show(carrier: Carrier | undefined, operationId: string, value: unknown): void {
  const media = carrier?.content?.['application/json']
  if (media !== undefined && value !== undefined) media.examples = { ...media.examples, [operationId]: { value } }
}

function replyOf(operationId: string, { result }: Example): unknown {
  const message = (MESSAGES as Readonly<Record<string, string>>)[operationId]
  return message === undefined ? result : success({ id: REQUEST_ID }, message, result)
}
