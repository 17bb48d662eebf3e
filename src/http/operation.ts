import { type Static, type TSchema, Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { envelope, MiddlewareResponseSchema, type Success, success, TextResult } from '../interface/envelope.js'
import { ERRORS } from '../interface/errors.js'
import { type EnvelopedOperationId, MESSAGES } from '../interface/messages.js'
import type { OperationId } from '../interface/operation-ids.js'
import { ref } from '../interface/schemas.js'
import type { Messages } from '../profile/messages.js'
import type { ControlPlane } from '../resources/control-plane.js'
import { type Example, EXAMPLES, type Examples } from './examples.js'
import { valuesOf } from './profile-reply.js'

/** Accepted credentials: an API key or a session, or a session only. Routes without it need no credential. */
export type Access = 'either' | 'session'

declare module 'fastify' {
  interface FastifyContextConfig {
    operationId?: string
    /**
     * For a path that several operations share: the one that the query and the body select; undefined if they select
     * none.
     */
    operationOf?: (request: FastifyRequest) => string | undefined
    /** All operations that share the path, if there are several. */
    operationIds?: readonly string[]
    /** The route for some of the operations that share the path. */
    routeOf?: (operationIds: readonly string[]) => Pick<RouteOptions, 'config' | 'schema'>
    /** The schema of the value if the result is JSON text. */
    textOf?: TSchema | undefined
    /** The path as the OpenAPI document shows it, if its parameters have other names there. */
    shownUrl?: string
    /** Name of the stub that answers; undefined for a simulated operation. */
    stub?: string
    /** Statuses that it can answer with, success first, except those of a failing server or a missing credential. */
    statuses?: readonly number[]
    access?: Access | undefined
    /** Its success repeats the message as `Result`. */
    repeatsMessage?: boolean
    /** Errors repeat their message as `Result` (operations 6 to 12 declare that). */
    errorResult?: boolean
    /** The route is for tests: the guard checks its callers before anything else. */
    isControl?: boolean
    /** The route is a page without any data: a browser can load it without the token. */
    isPage?: boolean
    /** The route is called again and again, to watch the server. */
    isProbe?: boolean
    /** The route answers when something has happened, or never. */
    isWaiting?: boolean
    /** The route changes nothing, although its method suggests it. */
    isRead?: boolean
  }
}

/**
 * The operation of a request; undefined if it is for none. If several share a path, it is final only once the body has
 * been read; if none is selected, it is the one that represents them in the OpenAPI document.
 */
export function operationIdOf(request: FastifyRequest): string | undefined {
  const { operationOf, operationId } = request.route.config
  return operationOf?.(request) ?? operationId
}

/** Whether a URL belongs to the control API, which is for tests and not part of the interface. */
export function isControl(url: string): boolean {
  return /^\/_mock(?:[/?]|$)/.test(url)
}

/** A parameter of a path; its example is the id of something in the demo data. */
export interface PathParameter {
  readonly description: string
  readonly examples: [string]
}

interface Operation<Body extends TSchema, Param extends string> {
  readonly operationId: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  /** The path's parameters by name; a text is a description. */
  readonly params?: Readonly<Record<Param, string | PathParameter>>
  readonly body?: Body
  /** `either` if absent. */
  readonly access?: Access
  /** Payload of the envelope; absent if the interface answers a `middleware.Response` without one. */
  readonly result?: TSchema
  /** The schema of the value if the result is JSON text. */
  readonly textOf?: TSchema
  /** The whole body of a reply without an envelope. */
  readonly bare?: TSchema
  /** Success is a 204 without a body. */
  readonly noContent?: boolean
  /** The interface declares a 500, and a 400 if there is a body; all other error statuses are assumed. */
  readonly declaresErrors?: boolean
  readonly errorResult?: boolean
  /** Error statuses for reasons that the request alone does not show: a state or a constraint (400), a quota (403). */
  readonly refuses?: readonly (400 | 403)[]
  /** Every operation of the interface has one. */
  readonly example?: Example<Static<Body>>
  /** Instead of `example`, for operations that share a method and path. */
  readonly examples?: Examples<Static<Body>>
}

/** Every error status of operations. 405 is not one, because it is about the method. */
const ERROR_STATUSES = [...new Set(Object.values(ERRORS).map(({ status }) => status))].filter(
  (status) => status !== 405
)

/** Key in a route schema for the list of assumed statuses, for the OpenAPI document. */
export const ASSUMED_STATUSES = 'x-assumed-statuses'

/** Key in a route schema that marks the body as optional. */
export const OPTIONAL_BODY = 'x-optional-body'

/** Key in a route schema for other media types of its success. */
export const OTHER_TYPES = 'x-other-types'

/** Key in a route schema for the only media type of its success, if that is not JSON. */
export const SOLE_TYPE = 'x-sole-type'

/** The credentials of an operation, in OpenAPI form. */
const SECURITY = {
  either: [{ apiKey: [] }, { session: [] }],
  session: [{ session: [] }]
} as const satisfies Record<Access, unknown>

/** The Fastify route configuration and schema of one operation. */
export function operation<Body extends TSchema = TSchema, Param extends string = never>(spec: Operation<Body, Param>) {
  const {
    operationId,
    tag,
    summary,
    description,
    declaresErrors = false,
    errorResult = false,
    access = 'either'
  } = spec
  const failure = errorResult
    ? envelope(Type.String({ description: 'The message once more.' }))
    : ref(MiddlewareResponseSchema)
  const isDeclared = (status: number) =>
    declaresErrors && (status === 500 || (status === 400 && spec.body !== undefined))
  const { example, examples = example === undefined ? {} : { [operationId]: example } } = spec
  return {
    config: {
      operationId,
      access,
      errorResult,
      repeatsMessage: spec.result === TextResult,
      statuses: statusesOf(spec),
      textOf: spec.textOf
    },
    schema: {
      operationId,
      tags: [tag],
      summary,
      security: SECURITY[access],
      ...(description === undefined ? {} : { description }),
      [ASSUMED_STATUSES]: ERROR_STATUSES.filter((status) => !isDeclared(status)),
      [EXAMPLES]: examples,
      params: pathParameters(spec.params ?? {}),
      ...(spec.body === undefined ? {} : { body: spec.body.$id === undefined ? spec.body : ref(spec.body) }),
      response: {
        ...(spec.noContent === true
          ? { 204: { type: 'null', description: 'Success.' } }
          : { 200: { ...successOf(spec), description: 'Success.' } }),
        ...Object.fromEntries(ERROR_STATUSES.map((status) => [status, { ...failure, description: meaningOf(status) }]))
      }
    } as unknown as { body: TypedAs<Static<Body>>; params: TypedAs<Record<Param, string>> }
  }
}

function statusesOf({ noContent, body, params = {}, access, refuses = [] }: Operation<TSchema, string>): number[] {
  const errors = [
    ...refuses,
    ...(body === undefined ? [] : [400, 413, 415]),
    ...(access === 'session' ? [403] : []),
    ...(Object.keys(params).length === 0 ? [] : [404])
  ]
  return [noContent === true ? 204 : 200, ...[...new Set(errors)].sort((a, b) => a - b)]
}

function successOf({ bare, result }: Operation<TSchema, string>): TSchema {
  if (bare !== undefined) return bare
  return result === undefined ? ref(MiddlewareResponseSchema) : envelope(result)
}

/** The static type of a schema, for handlers. */
type TypedAs<T> = ReturnType<typeof Type.Unsafe<T>>

function pathParameters(params: Readonly<Record<string, string | PathParameter>>): TSchema {
  return Type.Object(
    Object.fromEntries(
      Object.entries(params).map(([name, parameter]) => [
        name,
        Type.String(typeof parameter === 'string' ? { description: parameter } : parameter)
      ])
    )
  )
}

function meaningOf(status: number): string {
  const meanings = Object.values(ERRORS)
    .filter((error) => error.status === status)
    .map(({ when }) => when)
  return `${meanings.join('; ')}.`
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The reply to a successful request, with the message of its operation. */
    succeed<T>(result?: T): Success<T>
  }
}

/** The message for a successful request. */
export type MessageOf = (request: FastifyRequest) => string

/** @param own messages of the profile, if it has any */
export function messagesOf(plane: Pick<ControlPlane, 'engine'>, own: Messages = new Map()): MessageOf {
  return (request) => {
    const operation = operationIdOf(request)!
    return own.get(operation)?.(valuesOf(plane, request)) ?? MESSAGES[operation as EnvelopedOperationId]
  }
}

/** Adds `succeed` to the requests of an application. */
export function decorateWithSuccess(app: FastifyInstance, messageOf: MessageOf): void {
  app.decorateRequest('succeed', function <T>(this: FastifyRequest, result?: T) {
    const message = messageOf(this)
    return success(this, message, this.route.config.repeatsMessage === true ? (message as T) : result)
  })
}

/** Fills the catalogue of operations from the routes registered after this call, and from the named schemas. */
export function learnOperations(
  app: FastifyInstance,
  { operations, profile }: Pick<ControlPlane, 'operations' | 'profile'>
): void {
  app.addHook('onRoute', ({ url, config: { operationId, operationIds, statuses } = {} }) => {
    if (isControl(url) || operationId === undefined || statuses === undefined) return
    for (const id of operationIds ?? [operationId]) {
      const isRestricted = profile.edge.roles?.allow[id as OperationId] !== undefined && !statuses.includes(403)
      operations.add({ operationId: id, statuses: isRestricted ? [...statuses, 403].sort((a, b) => a - b) : statuses })
    }
  })
  app.addHook('onReady', async () => {
    for (const [name, schema] of Object.entries(app.getSchemas())) operations.addSchema(name, schema as object)
  })
}
