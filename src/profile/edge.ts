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

/** Paths and replies beyond what the operations do. Parts that a profile does not use are absent. */
export interface Edge {
  /** The prefix of the controller's operations, below the base path; may be empty. */
  readonly prefix: string
  /** All paths of the operations. */
  readonly paths?: readonly OperationPath[] | undefined
  readonly stubs?: readonly Stub[] | undefined
  readonly gateway?: Gateway | undefined
  readonly limits?: readonly Limit[] | undefined
  readonly idempotency?: Idempotency | undefined
  readonly roles?: Roles | undefined
  readonly messages?: Messages | undefined
  readonly refusals?: Refusals | undefined
  readonly replies?: Replies | undefined
}

export const NO_EDGE: Edge = { prefix: CONTROLLER }

/** @param document valid by its schema; may have other parts */
export function compileEdge(document: EdgeDocument, complain: Complain): Edge {
  const { prefix: given, routes, stubs, gateway, limits, idempotency, roles, messages, errors, replies } = document
  const prefix = prefixOf(given, complain)
  const paths = compileRoutes(routes ?? [], prefix, complain)
  return {
    prefix,
    paths: routes === undefined && prefix === CONTROLLER ? undefined : paths,
    stubs: stubs && compileStubs(stubs, paths, complain),
    gateway: gateway && compileGateway(gateway, complain),
    limits: limits && compileLimits(limits, complain),
    idempotency: idempotency && compileIdempotency(idempotency, complain),
    roles,
    messages: messages && compileMessages(messages, complain),
    refusals: errors && compileRefusals(errors, complain),
    replies: replies && compileReplies(replies, complain)
  }
}
