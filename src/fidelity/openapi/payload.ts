import type { OperationId } from '../../interface/operation-ids.js'
import type { Json } from '../../lib/json.js'
import { JSON_TEXTS } from '../comparables.js'
import type { Operation } from './api.js'
import type { Schema, Schemas } from './schema.js'
import { wordsIn } from './words.js'

/** What the field with the payload is called in an envelope. */
const PAYLOAD: ReadonlySet<string> = new Set(['result', 'results', 'data', 'payload', 'response', 'body'])
/** What else is in one. */
const BESIDE: ReadonlySet<string> = new Set(['error', 'errors', 'message', 'code', 'status', 'success', 'requestid'])

/** What a reply says, apart from its envelope; undefined if that is nothing. */
export function payloadOf(reply: Schema | undefined, schemas: Schemas): Schema | undefined {
  if (reply === undefined || reply.type === 'array') return reply
  const names = [...reply.fields.keys()]
  const isEnvelope = names.some((name) => BESIDE.has(wordsIn(name).join('')))
  const payload = names.find((name) => PAYLOAD.has(name.toLowerCase()))
  if (!isEnvelope) return reply
  if (payload !== undefined) return schemas.read(reply.fields.get(payload))
  return names.filter((name) => BESIDE.has(wordsIn(name).join(''))).length > 1 ? undefined : reply
}

/** The items in the text that an operation of the mock answers; undefined for all other operations. */
export function itemsInText(id: string, schemas: Schemas): Schema | undefined {
  const item = referenceInText(id)
  return item && schemas.read(item)
}

/** What an operation of the mock answers; if that is the text of a list, the list. */
export function resultOf({ id, reply }: Operation, schemas: Schemas): Schema | undefined {
  const item = referenceInText(id)
  return item === undefined ? payloadOf(reply, schemas) : schemas.read({ type: 'array', items: item })
}

function referenceInText(id: string): Json | undefined {
  const schema = Object.hasOwn(JSON_TEXTS, id) ? JSON_TEXTS[id as OperationId] : undefined
  return schema === undefined ? undefined : { $ref: `#/components/schemas/${schema}` }
}
