import { type TObject, Type } from '@sinclair/typebox'
import type { Shape } from '../interface/schemas.js'
import type { Complain } from './form.js'
import { compileGateway, GatewaySchema } from './gateway.js'
import { compileIdempotency, IdempotencySchema } from './idempotency.js'
import { compileLimits, LimitsSchema } from './limits.js'
import { compileMessages, MessagesSchema } from './messages.js'
import { compileRefusals, RefusalsSchema } from './refusals.js'
import { compileReplies, RepliesSchema } from './replies.js'
import { RolesSchema } from './roles.js'
import { compileRoutes, CONTROLLER, prefixOf, RouteSchema } from './routes.js'
import { compileStubs, StubSchema } from './stubs.js'

export const MOST_STUBS = 1000

/** The parts of a profile about paths, and about replies in place of an operation's own. */
export const edgeParts = {
  prefix: Type.Optional(
    Type.String({ description: `Prefix of the controller's operations, instead of ${CONTROLLER}; / for none.` })
  ),
  routes: Type.Optional(
    Type.Array(RouteSchema, {
      maxItems: 1000,
      description: 'Further paths of operations, and paths that are off.'
    })
  ),
  stubs: Type.Optional(
    Type.Array(StubSchema, {
      maxItems: MOST_STUBS,
      description: 'Replies of operations that the mock does not simulate.'
    })
  ),
  gateway: Type.Optional(GatewaySchema),
  limits: Type.Optional(LimitsSchema),
  idempotency: Type.Optional(IdempotencySchema),
  roles: Type.Optional(RolesSchema),
  messages: Type.Optional(MessagesSchema),
  errors: Type.Optional(RefusalsSchema),
  replies: Type.Optional(RepliesSchema)
}

export type EdgeDocument = Shape<TObject<typeof edgeParts>>

/**
 * Paths and replies beyond what the operations do. Parts that a profile does not use are absent. `prefix`, of the
 * controller's operations below the base path, may be empty; `paths` has all paths of the operations.
 */
export type Edge = { readonly [Part in keyof Parts]?: Parts[Part] | undefined } & { readonly prefix: string }
type Parts = ReturnType<typeof compileEdge>

export const NO_EDGE: Edge = { prefix: CONTROLLER }

/** @param document valid by its schema; may have other parts */
export function compileEdge(document: EdgeDocument, complain: Complain) {
  const { prefix: given, routes, stubs, gateway, limits, idempotency, roles, messages, errors, replies } = document
  const prefix = prefixOf(given, complain)
  const paths = compileRoutes(routes ?? [], prefix, complain)
  return {
    prefix,
    paths: routes === undefined && prefix === CONTROLLER ? undefined : paths,
    stubs: stubs && compileStubs(stubs, paths, complain),
    gateway: gateway && compileGateway(gateway, complain),
    limits: limits && compileLimits(limits),
    idempotency: idempotency && compileIdempotency(idempotency),
    roles,
    messages: messages && compileMessages(messages, complain),
    refusals: errors && compileRefusals(errors, complain),
    replies: replies && compileReplies(replies, complain)
  }
}
