import { type TObject, Type } from '@sinclair/typebox'
import type { Shape } from '../interface/schemas.js'
import type { Complain } from './complain.js'
import { compileGateway, type Gateway, GatewaySchema } from './gateway.js'
import { compileMessages, type Messages, MessagesSchema } from './messages.js'
import { compileRefusals, type Refusals, RefusalsSchema } from './refusals.js'
import { compileRoles, type Roles, RolesSchema } from './roles.js'
import { compileRoutes, type OperationPath, RouteSchema } from './routes.js'
import { compileStubs, type Stub, StubSchema } from './stubs.js'

/** Maximum number of routes. */
const MOST_ROUTES = 1000

/** Maximum number of stubs. */
export const MOST_STUBS = 1000

/** The parts of a profile about paths, and about replies that no operation gives. */
export const edgeParts = {
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
  roles: Type.Optional(RolesSchema),
  messages: Type.Optional(MessagesSchema),
  errors: Type.Optional(RefusalsSchema)
}

export type EdgeDocument = Shape<TObject<typeof edgeParts>>

/** What is answered at which paths, beside what the operations do. Parts that a profile does not use are absent. */
export interface Edge {
  /** As it was given. */
  readonly document: EdgeDocument
  /** All paths of the operations. */
  readonly paths?: readonly OperationPath[]
  readonly stubs?: readonly Stub[]
  readonly gateway?: Gateway
  readonly roles?: Roles
  readonly messages?: Messages
  readonly refusals?: Refusals
}

/** Without a profile, there is nothing. */
export const NO_EDGE: Edge = { document: {} }

/** @param document has been checked by its schema */
export function compileEdge(
  { routes, stubs, gateway, roles, messages, errors }: EdgeDocument,
  complain: Complain
): Edge {
  const paths = compileRoutes(routes ?? [], complain)
  return {
    document: definedOf({ routes, stubs, gateway, roles, messages, errors }),
    ...(routes === undefined ? {} : { paths }),
    ...(stubs === undefined ? {} : { stubs: compileStubs(stubs, paths, complain) }),
    ...(gateway === undefined ? {} : { gateway: compileGateway(gateway, complain) }),
    ...(roles === undefined ? {} : { roles: compileRoles(roles) }),
    ...(messages === undefined ? {} : { messages: compileMessages(messages, complain) }),
    ...(errors === undefined ? {} : { refusals: compileRefusals(errors, complain) })
  }
}

const definedOf = (parts: { readonly [Part in keyof EdgeDocument]: EdgeDocument[Part] | undefined }): EdgeDocument =>
  Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined))
