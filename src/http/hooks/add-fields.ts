import type { FastifyInstance, FastifyRequest } from 'fastify'
import { MiddlewareResponseSchema, type Success } from '../../interface/envelope.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import { type FindRelated, type Ids, relatedIn } from '../../resources/related.js'
import type { AddedFields } from '../added-fields.js'
import { isControl } from '../operation.js'

export type ReplyFields = ReturnType<typeof replyFieldsOf>

/** The schemas of a route's replies. */
type Responses = Readonly<Record<number, object & { readonly properties?: Readonly<Record<string, object>> }>>

/** Adds the further fields of a profile to what answers a request. */
export function replyFieldsOf(
  { storesOf, view, now }: Pick<ControlPlane, 'storesOf' | 'view' | 'now'>,
  fields: AddedFields
) {
  /** Adds them to a part of the reply to a request. */
  const addTo = (request: FastifyRequest, value: unknown, schema: object): unknown => {
    const { enteredSandbox: sandbox } = request
    const find =
      sandbox === undefined ? findNone : relatedIn(sandbox, storesOf(sandbox), { ...view, now: now(sandbox) })
    return fields.addTo(value, schema, find, idsOf(request.params))
  }
  return {
    addTo,
    /** Adds them to the result of a request. */
    addToResult: (request: FastifyRequest, result: unknown): unknown => {
      const { Result: schema } = Object.values(responsesOf(request))[0]?.properties ?? {}
      return schema === undefined ? result : addTo(request, result, schema)
    },
    /** Adds them to an envelope without a result. */
    addToEnvelope: (envelope: object) => fields.addTo(envelope, MiddlewareResponseSchema, findNone) as object
  }
}

const findNone: FindRelated = () => undefined

/** Adds further fields to all replies that are objects, before they become text. */
export function addFields(app: FastifyInstance, { addTo, addToResult, addToEnvelope }: ReplyFields): void {
  app.addHook('preSerialization', (request, reply, payload, done) =>
    done(null, added(request, reply.statusCode, payload))
  )

  function added(request: FastifyRequest, status: number, payload: unknown): unknown {
    // The control API has an envelope of its own.
    if (isControl(request.route.url ?? request.url)) {
      const { Result } = payload as Partial<Success<unknown>>
      return Result === undefined ? payload : { ...(payload as object), Result: addToResult(request, Result) }
    }
    const { [status]: schema } = responsesOf(request)
    return schema === undefined ? addToEnvelope(payload as object) : addTo(request, payload, schema)
  }
}

const responsesOf = ({ route: { schema } }: FastifyRequest) => (schema?.response ?? {}) as Responses

/** The ids in a path that has parameters. */
function idsOf(params: unknown): Ids {
  const { workgroupID, workspaceID, databaseID } = (params ?? {}) as Readonly<Record<string, string>>
  return {
    ...(workgroupID === undefined ? {} : { workgroup_id: workgroupID }),
    ...(workspaceID === undefined ? {} : { workspace_id: workspaceID }),
    ...(databaseID === undefined ? {} : { database_id: databaseID })
  }
}
