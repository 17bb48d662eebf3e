import { type Static, type TSchema, Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { ERRORS } from '../lib/errors.js'
import { ref } from '../lib/schemas.js'
import { envelope, MiddlewareResponseSchema } from './envelope.js'

/** Who may call a route: with an API key or a session, or with a session only. Routes without it need no credential. */
export type Access = 'either' | 'session'

declare module 'fastify' {
  interface FastifyContextConfig {
    operationId?: string
    /**
     * Of a path that several operations share: the one that the query and the body choose; undefined if they choose
     * none.
     */
    operationOf?: (request: FastifyRequest) => string | undefined
    /** All that share a path, where several do. */
    operationIds?: readonly string[]
    /**
     * Statuses that it can answer with, without those of a failing server and a missing credential: the success first.
     */
    statuses?: readonly number[]
    access?: Access | undefined
    /** Errors carry their message as `Result` too (operations 6 to 12 declare it so). */
    errorResult?: boolean
    /** It is for tests: strangers are kept from it before anything else happens. */
    isControl?: boolean
    /** It is a page for people, without any data: a browser can ask for it without the token. */
    isPage?: boolean
    /** It changes nothing, though its method may. */
    isRead?: boolean
  }
}

/**
 * The operation that a request is for; undefined outside of all operations. Where several share a path, it is sure only
 * once the body has been read; if none is chosen, it is what stands for them in the OpenAPI document.
 */
export function operationIdOf(request: FastifyRequest): string | undefined {
  const { operationOf, operationId } = request.route.config
  return operationOf?.(request) ?? operationId
}

/** Whether a URL is one of the control API, which is for tests and no part of the interface. */
export function isControl(url: string): boolean {
  return url.startsWith('/_mock/')
}

interface Operation<Body extends TSchema, Param extends string> {
  readonly operationId: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  /** Names and meanings of the path's parameters. */
  readonly params?: Readonly<Record<Param, string>>
  readonly body?: Body
  /** Who may call it; `either` if absent. */
  readonly access?: Access
  /** Payload of the envelope; absent where the interface answers a `middleware.Response` without one. */
  readonly result?: TSchema
  /** The whole body of a reply that has no envelope. */
  readonly bare?: TSchema
  /** Success is a 204 without a body. */
  readonly noContent?: boolean
  /** The error statuses that the interface declares; all others are assumed. */
  readonly declares?: readonly (400 | 500)[]
  readonly errorResult?: boolean
  /**
   * Error statuses by which it refuses what the request alone does not show: a state or a rule (400), a quota (403).
   */
  readonly refuses?: readonly (400 | 403)[]
}

/** Every error status any operation may answer with; 405 has no operation, for it is about the method. */
const ERROR_STATUSES = [...new Set(Object.values(ERRORS).map(({ status }) => status))].filter(
  (status) => status !== 405
)

/** Name of the route schema's entry that lists the assumed statuses, for the OpenAPI document. */
export const ASSUMED_STATUSES = 'x-assumed-statuses'

/** Name of the route schema's entry that says that the body may be left out. */
export const OPTIONAL_BODY = 'x-optional-body'

/** Name of the route schema's entry with other media types of its success. */
export const OTHER_TYPES = 'x-other-types'

/** Name of the route schema's entry with the only media type of its success, which is no JSON. */
export const SOLE_TYPE = 'x-sole-type'

/** Which credentials an operation takes, as the OpenAPI document says it. */
const SECURITY = {
  either: [{ apiKey: [] }, { session: [] }],
  session: [{ session: [] }]
} as const satisfies Record<Access, unknown>

/** The configuration and the schema of the route of one operation, ready for Fastify. */
export function operation<Body extends TSchema = TSchema, Param extends string = never>(spec: Operation<Body, Param>) {
  const { operationId, tag, summary, description, declares = [], errorResult = false, access = 'either' } = spec
  const failure = errorResult
    ? envelope(Type.String({ description: 'The message once more.' }))
    : ref(MiddlewareResponseSchema)
  const isDeclared = (status: number) => (declares as readonly number[]).includes(status)
  return {
    config: { operationId, access, errorResult, statuses: statusesOf(spec) },
    schema: {
      operationId,
      tags: [tag],
      summary,
      security: SECURITY[access],
      ...(description === undefined ? {} : { description }),
      [ASSUMED_STATUSES]: ERROR_STATUSES.filter((status) => !isDeclared(status)),
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

/** What a handler sees of a schema: its static type. */
type TypedAs<T> = ReturnType<typeof Type.Unsafe<T>>

function pathParameters(params: Readonly<Record<string, string>>): TSchema {
  return Type.Object(
    Object.fromEntries(Object.entries(params).map(([name, description]) => [name, Type.String({ description })]))
  )
}

function meaningOf(status: number): string {
  const meanings = Object.values(ERRORS)
    .filter((error) => error.status === status)
    .map(({ when }) => when)
  return `${meanings.join('; ')}.`
}
