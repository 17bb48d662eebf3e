import type { OperationId } from '../../interface/operation-ids.js'
import type { Json } from '../../lib/json.js'
import { JSON_TEXTS } from '../comparables.js'
import type { Operation } from './api.js'
import type { Schema, Schemas } from './schema.js'
import { wordsIn } from './words.js'

/** Names of the field with the payload in an envelope. */
const PAYLOAD: ReadonlySet<string> = new Set(['result', 'results', 'data', 'payload', 'response', 'body'])
/** Names of the other fields of an envelope. */
const BESIDE: ReadonlySet<string> = new Set(['error', 'errors', 'message', 'code', 'status', 'success', 'requestid'])

/** The payload of a reply, without its envelope. */
export function payloadOf(reply: Schema | undefined, schemas: Schemas): Schema | undefined {
  if (reply === undefined || reply.type === 'array') return reply
  const names = [...reply.fields.keys()]
  const isEnvelope = names.some((name) => BESIDE.has(wordsIn(name).join('')))
  const payload = names.find((name) => PAYLOAD.has(name.toLowerCase()))
  if (!isEnvelope) return reply
  if (payload !== undefined) return schemas.read(reply.fields.get(payload))
  return names.filter((name) => BESIDE.has(wordsIn(name).join(''))).length > 1 ? undefined : reply
}

/** The items of the list that an operation of the mock answers as JSON text; undefined for all others. */
export function itemsInText(id: string, schemas: Schemas): Schema | undefined {
  const item = referenceInText(id)
  return item && schemas.read(item)
}

/** The payload of an operation of the mock; for JSON text, the list in it. */
export function resultOf({ id, reply }: Operation, schemas: Schemas): Schema | undefined {
  const item = referenceInText(id)
  return item === undefined ? payloadOf(reply, schemas) : schemas.read({ type: 'array', items: item })
}

function referenceInText(id: string): Json | undefined {
  const schema = Object.hasOwn(JSON_TEXTS, id) ? JSON_TEXTS[id as OperationId] : undefined
  return schema === undefined ? undefined : { $ref: `#/components/schemas/${schema}` }
}
