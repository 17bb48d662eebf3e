import { type TObject, Type } from '@sinclair/typebox'
import type { Shape } from '../interface/schemas.js'
import type { Complain } from './form.js'
import { compileGateway, type Gateway, GatewaySchema } from './gateway.js'
import { compileIdempotency, type Idempotency, IdempotencySchema } from './idempotency.js'
import { compileLimits, type Limit, LimitsSchema } from './limits.js'
import { compileMessages, type Messages, MessagesSchema } from './messages.js'
import { compileRefusals, type Refusals, RefusalsSchema } from './refusals.js'
import { compileReplies, type Replies, RepliesSchema } from './replies.js'
import { type Roles, RolesSchema } from './roles.js'
import { compileRoutes, CONTROLLER, type OperationPath, prefixOf, RouteSchema } from './routes.js'
import { compileStubs, type Stub, StubSchema } from './stubs.js'

/** Maximum number of routes. */
const MOST_ROUTES = 1000

/** Maximum number of stubs. */
export const MOST_STUBS = 1000

/** The parts of a profile about paths, and about replies that no operation gives. */
export const edgeParts = {
  prefix: Type.Optional(
    Type.String({ description: `Where the operations of the controller are, instead of at ${CONTROLLER}; / for none.` })
  ),
  routes: Type.Optional(
    Type.Array(RouteSchema, {
      maxItems: MOST_ROUTES,
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

/** What is answered at which paths, beside what the operations do. Parts that a profile does not use are absent. */
export interface Edge {
  /** Where the operations of the controller are, below the base path; empty: there. */
  readonly prefix: string
  /** All paths of the operations. */
  readonly paths?: readonly OperationPath[]
  readonly stubs?: readonly Stub[]
  readonly gateway?: Gateway
  readonly limits?: readonly Limit[]
  readonly idempotency?: Idempotency
  readonly roles?: Roles
  readonly messages?: Messages
  readonly refusals?: Refusals
  readonly replies?: Replies
}

/** Without a profile, there is nothing. */
export const NO_EDGE: Edge = { prefix: CONTROLLER }

/** @param document has been checked by its schema; it can have other parts */
export function compileEdge(document: EdgeDocument, complain: Complain): Edge {
  const { prefix: given, routes, stubs, gateway, limits, idempotency, roles, messages, errors, replies } = document
  const prefix = prefixOf(given, complain)
  const paths = compileRoutes(routes ?? [], prefix, complain)
  return {
    prefix,
    ...(routes === undefined && prefix === CONTROLLER ? {} : { paths }),
    ...(stubs === undefined ? {} : { stubs: compileStubs(stubs, paths, complain) }),
    ...(gateway === undefined ? {} : { gateway: compileGateway(gateway, complain) }),
    ...(limits === undefined ? {} : { limits: compileLimits(limits, complain) }),
    ...(idempotency === undefined ? {} : { idempotency: compileIdempotency(idempotency, complain) }),
    ...(roles === undefined ? {} : { roles }),
    ...(messages === undefined ? {} : { messages: compileMessages(messages, complain) }),
    ...(errors === undefined ? {} : { refusals: compileRefusals(errors, complain) }),
    ...(replies === undefined ? {} : { replies: compileReplies(replies, complain) })
  }
}
