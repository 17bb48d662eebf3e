import type { FastifyInstance, FastifyRequest } from 'fastify'
import { schemaErrors } from '../interface/check.js'
import { MiddlewareResponseSchema, type Success } from '../interface/envelope.js'
import { isObject, type Json, valueAt } from '../lib/json.js'
import type { AnsweredField, Extra } from '../profile/fields.js'
import type { ControlPlane } from '../resources/control-plane.js'
import { EXTRA } from '../resources/extra.js'
import { type FindRelated, type Ids, relatedIn } from '../resources/related.js'
import type { Described } from '../resources/vocabulary.js'
import { isControl } from './operation.js'
import { schemaParts } from './schema-parts.js'

export type AddedFields = NonNullable<ReturnType<typeof addedFieldsOf>>

interface Context {
  readonly findRelated: FindRelated
  readonly ids: Ids
}

/** The schemas of a route's replies. */
type Responses = Readonly<Record<number, object & { readonly properties?: Readonly<Record<string, object>> }>>

/**
 * Adds the fields that a profile has in addition to the interface's own to replies.
 * @param schemas all schemas that are published under their own names
 * @returns undefined if the profile adds none
 */
export function addedFieldsOf(
  { profile, storesOf, view, now }: Pick<ControlPlane, 'profile' | 'storesOf' | 'view' | 'now'>,
  schemas: readonly object[]
) {
  const { answered } = profile.fields
  if (answered.size === 0) return undefined
  const partOf = schemaParts(schemas)

  function add(value: unknown, schema: Described, context: Context): unknown {
    if (typeof value !== 'object' || value === null) return value
    const { names, properties, items } = partOf(schema)
    if (Array.isArray(value)) return items === undefined ? value : value.map((item) => add(item, items, context))
    const own = value as Json & { readonly [EXTRA]?: Extra }
    const added: Record<string, unknown> = { ...own }
    for (const [name, property] of properties) if (name in own) added[name] = add(own[name], property, context)
    for (const field of names.flatMap((name) => answered.get(name) ?? [])) {
      const shown = valueOf(field, added, context)
      if (shown !== undefined) added[field.name] = shown
      else Reflect.deleteProperty(added, field.name)
    }
    return added
  }

  /** Adds fields to a part of the reply to a request. */
  const addTo = (request: FastifyRequest, value: unknown, schema: object): unknown => {
    const { enteredSandbox: sandbox } = request
    const findRelated =
      sandbox === undefined ? findNone : relatedIn(sandbox, storesOf(sandbox), { ...view, now: now(sandbox) })
    return add(value, schema, { findRelated, ids: idsOf(request.params) })
  }
  return {
    addTo,
    /** Adds fields to the result of a request. */
    addToResult: (request: FastifyRequest, result: unknown): unknown => {
      const { Result: schema } = Object.values(responsesOf(request))[0]?.properties ?? {}
      return schema === undefined ? result : addTo(request, result, schema)
    },
    /** Adds fields to an envelope without a result. */
    addToEnvelope: (envelope: object) =>
      add(envelope, MiddlewareResponseSchema, { findRelated: findNone, ids: {} }) as object
  }
}

const findNone: FindRelated = () => undefined

const responsesOf = ({ route: { schema } }: FastifyRequest) => (schema?.response ?? {}) as Responses

/** The ids in a path that has parameters. */
function idsOf(params: unknown): Ids {
  const { workgroupID, workspaceID, databaseID } = params as Readonly<Record<string, string>>
  return {
    ...(workgroupID === undefined ? {} : { workgroup_id: workgroupID }),
    ...(workspaceID === undefined ? {} : { workspace_id: workspaceID }),
    ...(databaseID === undefined ? {} : { database_id: databaseID })
  }
}

function valueOf(field: AnsweredField, own: Json, { findRelated, ids }: Context): unknown {
  const { name, value, source, schema, isStored } = field
  if (source === undefined) {
    if (schema === undefined) return value
    const { [EXTRA]: extra } = own as { readonly [EXTRA]?: Extra }
    // A value inside another field of the request is stored with that field.
    const holder = isStored === true && extra !== undefined && Object.hasOwn(extra, name) ? extra : own
    return Object.hasOwn(holder, name) && schemaErrors(schema, holder[name]).length === 0 ? holder[name] : value
  }
  let from: unknown = own
  for (const relation of source.relations) from = findRelated(relation, { ...ids, ...(from as Ids) })
  for (const step of source.path) from = (from as Json | undefined)?.[step]
  return from
}

/** Adds fields to all replies that are objects, before they become text. */
export function addToReplies(app: FastifyInstance, { addTo, addToResult, addToEnvelope }: AddedFields): void {
  app.addHook('preSerialization', (request, reply, payload, done) =>
    done(null, added(request, reply.statusCode, payload as object))
  )

  function added(request: FastifyRequest, status: number, payload: object): unknown {
    // The control API has an envelope of its own.
    if (isControl(request.route.url ?? request.url)) {
      const { Result } = payload as Partial<Success<unknown>>
      return Result === undefined ? payload : { ...payload, Result: addToResult(request, Result) }
    }
    const { [status]: schema } = responsesOf(request)
    return schema === undefined ? addToEnvelope(payload) : addTo(request, payload, schema)
  }
}

/** Adds the fields of the envelope, in an OpenAPI document, to envelopes with a result, which have no name. */
export function addToEnvelopes(document: unknown): unknown {
  const named = ['components', 'schemas', MiddlewareResponseSchema.$id!, 'properties']
  const ofEnvelopes = valueAt(document, named) as Json
  const visit = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return
    const { properties } = part as Json
    if (isObject(properties) && 'RequestID' in properties)
      Object.assign(part, { properties: { ...ofEnvelopes, ...properties } })
    else Object.values(part).forEach(visit)
  }
  visit((document as Json)['paths'])
  return document
}
