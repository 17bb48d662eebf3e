import type { FastifyInstance, FastifyRequest } from 'fastify'
import { found, invalidBody } from '../../interface/errors.js'
import { topFields } from '../../journal/unread.js'
import { isObject, type Json } from '../../lib/json.js'
import type { RequestRules } from '../../profile/requests.js'
import { CHILDREN, type Moves, type Parent } from '../../profile/routes.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import type { SandboxStores } from '../../resources/tx.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The parameters and fields that the path has in other places than the operation. */
    moves?: Moves
  }
}

/** The router's name for a path parameter: to the router, a dot ends a name. */
export const routerName = (parameter: string): string => parameter.replace('.', '_')

/**
 * Moves the parameters and fields of requests to where the operations have them, on all routes added to `api` after
 * this call.
 * @param fromWire translates a body
 */
export function completeRequests(
  api: FastifyInstance,
  plane: Pick<ControlPlane, 'storesOf' | 'schemas' | 'profile'>,
  fromWire: (body: unknown) => unknown = (body) => body
): void {
  const { toWire, fromWire: fieldOf } = plane.profile.names.fields
  // The body must have been read.
  api.addHook('preValidation', (request, _reply, done) => {
    const { moves } = request.route.config
    if (moves !== undefined) complete(request, moves)
    done()
  })

  function complete(request: FastifyRequest, { toBody, from, derived }: Moves): void {
    const inPath = request.params as Readonly<Record<string, string>>
    const params: Record<string, string> = {}
    // Validation refuses any other kind of body.
    const given: unknown = request.body
    const isBody = isObject(given)
    const body: Record<string, unknown> = isBody ? { ...given } : {}
    for (const [name, value] of Object.entries(inPath)) if (!/^(?:body|unused)_/.test(name)) params[name] = value
    for (const parameter of toBody)
      Object.assign(body, fromWire({ [toWire(parameter.slice('body.'.length))]: inPath[routerName(parameter)] }))
    for (const [parameter, { source, name }] of from) {
      const field = source === 'body' ? fieldOf(name) : name
      const value = (source === 'body' ? body : (request.query as Json))[field]
      if (typeof value !== 'string' || value === '')
        throw invalidBody([{ field: fieldOf(name), reason: `is required, as a non-empty text in the ${source}` }])
      params[parameter] = value
      if (source === 'body' && !isOwnField(request, field)) Reflect.deleteProperty(body, field)
    }
    const stores = plane.storesOf(request.sandbox)
    for (const parent of derived)
      params[parent] = parentOf(stores, parent, {
        ...params,
        'body.id': body['id'],
        'body.backup_id': body['backup_id']
      })
    request.params = params
    if (isBody || (given === undefined && toBody.length > 0)) replaceBody(request, body)
  }

  /** Whether the operation has a field, so that a parameter with the same place is also its value. */
  const isOwnField = ({ route }: FastifyRequest, field: string) =>
    topFields(route.schema?.body as object | undefined, plane.schemas).includes(field)
}

type ParentOf = (stores: SandboxStores, id: string) => string | undefined

/** For each parameter from which a parent follows, what it identifies, and how its parent is found. */
const PARENTS: {
  readonly [P in Parent]: Readonly<Record<(typeof CHILDREN)[P][number], readonly [kind: string, parentOf: ParentOf]>>
} = {
  workgroupID: {
    // A profile can keep deleted workspaces readable.
    workspaceID: [
      'workspace',
      ({ workspaces, deletedWorkspaces }, id) => (workspaces.find(id) ?? deletedWorkspaces.findAnywhere(id))?.workgroup
    ],
    databaseID: ['database', ({ databases }, id) => databases.findAnywhere(id)?.workgroup],
    id: ['allowed IP', ({ allowList }, id) => allowList.findAnywhere(id)?.workgroup]
  },
  workspaceID: {
    job: ['restore job', ({ restoreJobs }, id) => restoreJobs.find(id)?.workspace],
    'body.backup_id': ['backup', ({ backups }, id) => backups.find(id)?.workspace],
    'body.id': ['schedule', ({ schedules }, id) => schedules.findAnywhere(id)?.workspace]
  }
}

/** @throws {ServiceError} `notFound` if the child does not exist */
function parentOf(stores: SandboxStores, parent: Parent, given: Json): string {
  const children = CHILDREN[parent]
  const child = children.find((name) => typeof given[name] === 'string') ?? children.at(-1)!
  const id = String(given[child])
  const [kind, find] = (PARENTS[parent] as Readonly<Record<string, readonly [string, ParentOf]>>)[child]!
  return found(find(stores, id), kind, id)
}

/** Adds the defaults of the profile to the bodies of all routes added to `api` after this call. */
export function completeBodies(api: FastifyInstance, { defaults }: RequestRules): void {
  api.addHook('preValidation', (request: FastifyRequest, _reply, done) => {
    const { $ref = '' } = (request.route.schema?.body ?? {}) as { readonly $ref?: string }
    const values = defaults.get($ref.replace(/#$/, ''))
    if (values !== undefined && isObject(request.body)) replaceBody(request, { ...values, ...request.body })
    done()
  })
}

function replaceBody(request: FastifyRequest, body: object): void {
  request.sent ??= { body: request.body }
  request.body = body
}
