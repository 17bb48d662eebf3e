import type { FastifyInstance, preHandlerHookHandler } from 'fastify'
import { MESSAGES } from '../interface/messages.js'
import type { Json } from '../lib/json.js'
import { parseTimestamp } from '../lib/time.js'
import { MIRRORS } from '../profile/fields.js'
import type { Names } from '../profile/names.js'
import type { Replies } from '../profile/replies.js'
import type { Described } from '../resources/vocabulary.js'

/**
 * A value in the form of the profile for its field; undefined if it has none.
 * @returns in an object, because the value can be undefined: then the field is absent
 */
export function formOf(
  { empty, times, ids }: Replies,
  field: string,
  value: unknown
): { readonly value: unknown } | undefined {
  if (typeof value === 'string' && value !== '') {
    const written = times.get(field)
    const time = written && parseTimestamp(value)
    if (time !== undefined) return { value: written!(time) }
    const id = ids?.toWire(field, value)
    return id === undefined ? undefined : { value: id }
  }
  // A result may be an empty list.
  const isEmpty = value === null || (field !== 'Result' && isNothing(value))
  const form = isEmpty ? empty.get(field) : undefined
  return form && { value: form() }
}

const isNothing = (value: unknown) => value === '' || (Array.isArray(value) && value.length === 0)

/** Brings replies into the form of the profile. The result takes a reply, and the same reply in the names outside. */
export function replyShaper({ isBare, error, keys, results, order }: Replies, { fields: { toWire } }: Names) {
  const first = order.map(toWire)
  const ordered = (envelope: Json): Json =>
    first.length === 0
      ? envelope
      : Object.fromEntries([
          ...first.filter((name) => name in envelope).map((name) => [name, envelope[name]] as const),
          ...Object.entries(envelope).filter(([name]) => !first.includes(name))
        ])
  return (reply: unknown, sent: unknown, operationId: string, status: number): unknown => {
    const key = keys.get(operationId)
    const form = results.get(operationId)
    const formed = (result: unknown) =>
      form === 'list' ? [result] : form === 'first' && Array.isArray(result) ? ((result[0] as unknown) ?? null) : result
    const keyed = (result: unknown) => (key === undefined ? formed(result) : { [key]: formed(result) })
    // Replies without an envelope are lists.
    if (Array.isArray(reply)) return keyed(sent)
    // Examples of request bodies come here, too.
    const { Error: isError } = reply as { readonly Error?: unknown }
    if (typeof isError !== 'boolean') return sent
    const envelope = sent as Json
    if (!isError) {
      const result = keyed(envelope[toWire('Result')])
      return isBare ? (result ?? {}) : ordered({ ...envelope, [toWire('Result')]: result })
    }
    if (error === undefined) return ordered(envelope)
    const details = envelope[toWire('ErrorDetails')] as readonly Json[]
    return error({
      message: envelope[toWire('Message')],
      type: details[0]?.[toWire('Type')],
      status,
      request_id: envelope[toWire('RequestID')],
      details
    })
  }
}

/** A named schema with the forms that its fields have in replies. */
export function withForms(schema: Described, replies: Replies): object {
  const { items, properties } = schema
  if (items !== undefined) return { ...schema, items: withForms(items, replies) }
  if (properties === undefined) return schema
  const formed = Object.entries(properties).map(([field, property]) => [
    field,
    formOfSchema(field, withForms(property, replies), replies)
  ])
  return { ...schema, properties: Object.fromEntries(formed) as object }
}

function formOfSchema(field: string, property: Described, { empty, times }: Replies): object {
  const { type, format } = property as Json
  const name = property[MIRRORS]?.field ?? field
  const time = (times.get(field) ?? times.get(name))?.(0)
  if (typeof time === 'number' && type === 'string' && format === undefined)
    return { ...property, type: 'integer', description: 'Unix timestamp.' }
  const value = (empty.get(field) ?? empty.get(name))?.()
  const own = Array.isArray(value) ? 'array' : value === null ? 'null' : 'string'
  return value === undefined ? property : { anyOf: [property, { type: own }] }
}

/** Changes the status of successes of all routes added to `app` after this call. */
export function succeedAs(app: FastifyInstance, statuses: Replies['statuses']): void {
  app.addHook('onRoute', (route) => {
    const status = statuses.get(route.config?.operationId ?? '')
    if (status === undefined) return
    const { response } = route.schema as { readonly response: Readonly<Record<number, object>> }
    const { 200: success, ...errors } = response
    const shown = status === 204 ? { type: 'null', description: 'Success.' } : success
    route.schema = { ...route.schema, response: { [status]: shown, ...errors } }
    route.config = { ...route.config!, success: status }
    const succeed: preHandlerHookHandler = (_request, reply, done) => {
      void reply.code(status)
      done()
    }
    route.preHandler = [route.preHandler ?? [], succeed].flat()
  })
}

/** Describes replies in the form of the profile. The result takes the schema of a body in the names outside. */
export function schemaShaper({ isBare, error, keys, results }: Replies, { fields: { toWire } }: Names) {
  return (schema: Json, operationId: string, status: number): Json => {
    if (status >= 400) return error === undefined ? schema : {}
    // The operationId of a further path ends with a number.
    const name = operationId.replace(/\d+$/, '')
    const [key, form] = [keys.get(name), results.get(name)]
    const formed = (result: Json): Json =>
      form === 'list'
        ? { type: 'array', items: result }
        : form === 'first' && result['items'] !== undefined
          ? { anyOf: [result['items'] as Json, { type: 'null' }] }
          : result
    const keyed = (result: Json): Json =>
      key === undefined ? formed(result) : { type: 'object', properties: { [key]: formed(result) }, required: [key] }
    const properties = schema['properties'] as Readonly<Record<string, Json>> | undefined
    const result = properties?.[toWire('Result')]
    // Only a list comes without an envelope.
    if (properties === undefined && !(name in MESSAGES))
      return keyed({ type: 'array', items: { $ref: `${schema['$ref'] as string}/items` } })
    // Of the operations that share a path, one has no result.
    if (isBare && result?.['anyOf'] !== undefined) return { anyOf: [result, { type: 'object' }] }
    if (isBare) return result === undefined ? { type: 'object' } : keyed(result)
    return result === undefined
      ? schema
      : { ...schema, properties: { ...properties, [toWire('Result')]: keyed(result) } }
  }
}
