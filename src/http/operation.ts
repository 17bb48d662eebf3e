import { type Static, type TSchema, Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { envelope, MiddlewareResponseSchema, type Success, success, TextResult } from '../interface/envelope.js'
import { type Condition, ERROR_STATUSES, ERRORS } from '../interface/errors.js'
import { type EnvelopedOperationId, MESSAGES } from '../interface/messages.js'
import type { OperationId } from '../interface/operation-ids.js'
import { ref } from '../interface/schemas.js'
import { TOO_MANY_REQUESTS } from '../profile/limits.js'
import type { Messages } from '../profile/messages.js'
import { CONDITIONS } from '../profile/refusals.js'
import type { ControlPlane } from '../resources/control-plane.js'
import type { SandboxStores, Tx } from '../resources/tx.js'
import { type Example, EXAMPLES, type Examples } from './examples.js'
import { valuesOf } from './profile-reply.js'

/** Accepted credentials: an API key or a session, or only a session. */
export type Access = 'either' | 'session'

declare module 'fastify' {
  interface FastifyContextConfig {
    operationId?: string
    /** For a path that several operations share: the one that the query and the body select, if any. */
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
    /** The status of its success. */
    success?: number
    /** The conditions in which it is refused, except those of a failing server or a missing credential. */
    conditions?: readonly Condition[]
    /** Undefined if it needs no credential. */
    access?: Access | undefined
    /** Successes repeat the message as `Result`. */
    repeatsMessage?: boolean
    /** Errors repeat their message as `Result` (operations 6 to 12 declare that). */
    errorResult?: boolean
    /** The route belongs to the control API. */
    isControl?: boolean
    /** The route is a page without any data: a browser can load it without the token. */
    isPage?: boolean
    /** The route is called periodically to watch the server. */
    isProbe?: boolean
    /** The route answers when something has happened, or never. */
    isWaiting?: boolean
    /** The route changes nothing, although its method suggests it. */
    isRead?: boolean
  }
}

/**
 * The operation of a request; undefined if it is for none. If several share a path, it is final only once the body has
 * been read; if none of them is selected, it is the one that represents them in the OpenAPI document.
 */
export function operationIdOf(request: FastifyRequest): string | undefined {
  const { operationOf, operationId } = request.route.config
  return operationOf?.(request) ?? operationId
}

/** Whether a URL belongs to the control API. */
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
  /** The path's parameters by name, or their descriptions. */
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
  /** Conditions that the request alone does not show: a state or a constraint, a quota. */
  readonly refuses?: readonly ('notAllowed' | 'quotaExceeded')[]
  readonly example?: Example<Static<Body>>
  /** In place of `example`, for operations that share a method and path. */
  readonly examples?: Examples<Static<Body>>
}

// Keys in a route schema for the OpenAPI document.
export const ASSUMED_STATUSES = 'x-assumed-statuses'
/** Parameters in the body: their schemas by the built-in names of its fields. */
export const BODY_PARAMETERS = 'x-body-parameters'
/** Fields of the body that are in the path. */
export const MOVED_FIELDS = 'x-moved-fields'
export const OPTIONAL_BODY = 'x-optional-body'
/** Further media types of its success. */
export const OTHER_TYPES = 'x-other-types'
/** The only media type of its success, if that is not JSON. */
export const SOLE_TYPE = 'x-sole-type'

const SECURITY = {
  either: [{ apiKey: [] }, { session: [] }],
  session: [{ session: [] }]
} as const satisfies Record<Access, unknown>

/** The Fastify route configuration and schema of one operation. */
export function operation<Body extends TSchema = TSchema, Param extends string = never>(spec: Operation<Body, Param>) {
  const { operationId, tag, summary, description, body, access = 'either' } = spec
  const { declaresErrors = false, errorResult = false } = spec
  const failure = errorResult
    ? envelope(Type.String({ description: 'The message once more.' }))
    : ref(MiddlewareResponseSchema)
  const isDeclared = (status: number) => declaresErrors && (status === 500 || (status === 400 && body !== undefined))
  const { example, examples = example === undefined ? {} : { [operationId]: example } } = spec
  return {
    config: {
      operationId,
      access,
      errorResult,
      repeatsMessage: spec.result === TextResult,
      success: spec.noContent === true ? 204 : 200,
      conditions: conditionsOf(spec),
      textOf: spec.textOf
    },
    schema: {
      operationId,
      tags: [tag],
      summary,
      security: SECURITY[access],
      ...(description !== undefined && { description }),
      [ASSUMED_STATUSES]: ERROR_STATUSES.filter((status) => !isDeclared(status)),
      [EXAMPLES]: examples,
      params: pathParameters(spec.params ?? {}),
      ...(body !== undefined && { body: body.$id === undefined ? body : ref(body) }),
      response: {
        ...(spec.noContent === true
          ? { 204: { type: 'null', description: 'Success.' } }
          : { 200: { ...successOf(spec), description: 'Success.' } }),
        ...Object.fromEntries(ERROR_STATUSES.map((status) => [status, { ...failure, description: meaningOf(status) }]))
      }
    } as unknown as { body: TypedAs<Static<Body>>; params: TypedAs<Record<Param, string>> }
  }
}

function conditionsOf({ body, params = {}, access, refuses = [] }: Operation<TSchema, string>): Condition[] {
  return [
    ...refuses,
    ...(body === undefined ? [] : (['invalidBody', 'bodyTooLarge', 'unsupportedMediaType'] as const)),
    ...(access === 'session' ? (['forbidden'] as const) : []),
    ...(Object.keys(params).length === 0 ? [] : (['notFound'] as const))
  ]
}

function successOf({ bare, result }: Operation<TSchema, string>): TSchema {
  if (bare !== undefined) return bare
  return result === undefined ? ref(MiddlewareResponseSchema) : envelope(result)
}

/** A schema whose static type handlers see. */
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

export type MessageOf = (request: FastifyRequest) => string

/** Returns the messages of successful requests. @param own messages of the profile */
export function messagesOf(plane: Pick<ControlPlane, 'engine'>, own: Messages = new Map()): MessageOf {
  return (request) => {
    const operation = operationIdOf(request)!
    return own.get(operation)?.(valuesOf(plane, request)) ?? MESSAGES[operation as EnvelopedOperationId]
  }
}

export function decorateWithSuccess(app: FastifyInstance, messageOf: MessageOf): void {
  app.decorateRequest('succeed', function <T>(this: FastifyRequest, result?: T) {
    const message = messageOf(this)
    return success(this, message, this.route.config.repeatsMessage === true ? (message as T) : result)
  })
}

/** A request of an operation. */
type Asked<Body extends TSchema, Param extends string> = FastifyRequest & {
  readonly params: Readonly<Record<Param, string>>
  readonly body: Static<Body>
}

/** Returns functions that add operations to a plugin. Each gets a handler that returns the result. */
export function operationsIn(app: FastifyInstance, plane: Pick<ControlPlane, 'storesOf' | 'write'>) {
  return {
    /** Adds an operation that only reads what is stored. */
    addRead: <Param extends string = never>(
      path: string,
      spec: Operation<TSchema, Param>,
      read: (stores: SandboxStores, request: Asked<TSchema, Param>) => unknown
    ) => {
      app.get(path, operation(spec), (request) =>
        request.succeed(read(plane.storesOf(request.sandbox), request as Asked<TSchema, Param>))
      )
    },
    /** Adds an operation that makes a change. */
    addChange: <Body extends TSchema = TSchema, Param extends string = never>(
      method: 'post' | 'put' | 'delete',
      path: string,
      spec: Operation<Body, Param>,
      change: (tx: Tx, request: Asked<Body, Param>) => unknown
    ) => {
      app[method](path, operation(spec), async (request) =>
        request.succeed(await plane.write(request, (tx) => change(tx, request as Asked<Body, Param>)))
      )
    }
  }
}

/** Declares further error statuses of a route, which has an internal error. */
export function declareErrors(
  schema: { readonly response?: unknown },
  statuses: readonly number[],
  description: string
): void {
  const response = schema.response as Record<number, object>
  for (const status of statuses) response[status] ??= { ...response[500], description }
}

/**
 * Fills the catalogue of operations with the routes registered after this call, and with the named schemas. Declares
 * the statuses with which the profile refuses.
 */
export function learnOperations(
  app: FastifyInstance,
  plane: Pick<ControlPlane, 'operations' | 'schemas' | 'profile'>
): void {
  const { refusals, roles, limits, gateway } = plane.profile.edge
  const hasLimits = limits !== undefined && gateway?.has('too_many_requests') !== true
  app.addHook('onRoute', ({ url, config: { operationId, operationIds, success, conditions = [] } = {}, schema }) => {
    if (isControl(url) || operationId === undefined || success === undefined) return
    for (const id of operationIds ?? [operationId]) {
      const isRestricted = roles?.allow[id as OperationId] !== undefined
      const all = isRestricted ? [...conditions, 'forbidden' as const] : conditions
      const errors = all.map((condition) => refusals?.(condition, id)?.status ?? ERRORS[condition].status)
      // Any operation can be refused for reasons that are not its own, such as its credential.
      const others = CONDITIONS.flatMap((condition) => refusals?.(condition, id)?.status ?? [])
      const ofLimits = hasLimits ? [TOO_MANY_REQUESTS] : []
      declareErrors(schema!, [...errors, ...others, ...ofLimits], 'As the profile refuses.')
      plane.operations.set(id, [success, ...[...new Set(errors)].sort((a, b) => a - b)])
    }
  })
  app.addHook('onReady', async () => {
    plane.schemas = app.getSchemas() as Record<string, object>
  })
}
