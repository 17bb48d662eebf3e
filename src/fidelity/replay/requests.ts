import { isObject } from '../../lib/json.js'
import type { Call, Schema } from '../api.js'
import type { Exchange } from '../exchange.js'
import type { OwnReply } from '../twin.js'
import type { Session } from './session.js'

/** Notes which fields of a request the mock has, too. Call it only if both accept the request. */
export function noteFields({ names, facts }: Session, { requestBody, number }: Exchange, { operation }: Call): void {
  const { name, schema } = names.api.resolve(names.api.requestSchema(operation)) ?? {}
  if (name === undefined || !isObject(requestBody)) return
  for (const wire of Object.keys(requestBody)) {
    if (schema?.properties?.[wire] === undefined) continue
    const field = names.profile.names.fields.fromWire(wire)
    facts.add({
      aspect: 'field',
      operation,
      schema: name,
      field,
      agrees: true,
      ours: wire,
      theirs: wire,
      exchange: number
    })
  }
}

/** What is peculiar to the body of a request, where that decides its status. */
export function peculiarityOf(
  { names: { api } }: Session,
  { requestBody }: Exchange,
  { operation }: Call,
  ours: OwnReply
): 'type' | 'unknown field' | undefined {
  const properties = api.resolve(api.requestSchema(operation))?.schema.properties
  if (properties === undefined || !isObject(requestBody)) return undefined
  const fields = Object.entries(requestBody)
  if (ours.condition === 'invalidBody')
    return fields.some(([field, value]) => hasOtherType(value, api.resolve(properties[field])?.schema))
      ? 'type'
      : undefined
  const isAccepted = ours.status < 400
  return isAccepted && fields.some(([field]) => properties[field] === undefined) ? 'unknown field' : undefined
}

function hasOtherType(value: unknown, schema: Schema | undefined): boolean {
  if (schema?.type === undefined) return false
  switch (schema.type) {
    case 'integer':
      return !Number.isInteger(value)
    case 'array':
      return !Array.isArray(value)
    case 'object':
      return !isObject(value)
    default:
      return typeof value !== schema.type
  }
}
