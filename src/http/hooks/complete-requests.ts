import type { FastifyInstance, FastifyRequest } from 'fastify'
import { found, invalidBody } from '../../interface/errors.js'
import { isObject, type Json } from '../../lib/json.js'
import type { RequestRules } from '../../profile/requests.js'
import type { Moves } from '../../profile/routes.js'
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
 * @param fieldOf returns the built-in name of a field of the body
 */
export function completeRequests(
  api: FastifyInstance,
  { storesOf }: Pick<ControlPlane, 'storesOf'>,
  fieldOf: (name: string) => string
): void {
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
    for (const parameter of toBody) body[parameter.slice('body.'.length)] = inPath[routerName(parameter)]
    for (const [parameter, { source, name }] of from) {
      const field = source === 'body' ? fieldOf(name) : name
      const value = (source === 'body' ? body : (request.query as Json))[field]
      if (typeof value !== 'string' || value === '')
        throw invalidBody([{ field: name, reason: `is required, as a non-empty text in the ${source}` }])
      params[parameter] = value
      if (source === 'body') Reflect.deleteProperty(body, field)
    }
    const stores = storesOf(request.sandbox)
    for (const parameter of derived) params[parameter] = PARENTS[parameter]!(stores, params, body)
    request.params = params
    if (isBody || (given === undefined && toBody.length > 0)) request.body = body
  }
}

/** Finds the id of a parent. @throws {ServiceError} `notFound` if the child does not exist */
const PARENTS: Readonly<Record<string, (stores: SandboxStores, params: Json, body: Json) => string>> = {
  workspaceID: ({ backups, restoreJobs, schedules }, { job }, { id, backup_id: backupId }) => {
    if (typeof job === 'string') return found(restoreJobs.find(job), 'restore job', job).workspace
    if (typeof backupId === 'string') return found(backups.find(backupId), 'backup', backupId).workspace
    return found(schedules.findAnywhere(String(id)), 'schedule', String(id)).workspace
  },
  workgroupID: ({ workspaces, deletedWorkspaces, databases, allowList }, { workspaceID, databaseID, id }) => {
    if (typeof workspaceID === 'string') {
      // A profile can keep deleted workspaces readable.
      const workspace = workspaces.find(workspaceID) ?? deletedWorkspaces.findAnywhere(workspaceID)
      return found(workspace, 'workspace', workspaceID).workgroup
    }
    if (typeof databaseID === 'string')
      return found(databases.findAnywhere(databaseID), 'database', databaseID).workgroup
    return found(allowList.findAnywhere(String(id)), 'allowed IP', String(id)).workgroup
  }
}

/** Adds the defaults of the profile to the bodies of all routes added to `api` after this call. */
export function completeBodies(api: FastifyInstance, { defaults }: RequestRules): void {
  api.addHook('preValidation', (request: FastifyRequest, _reply, done) => {
    const { $ref = '' } = (request.route.schema?.body ?? {}) as { readonly $ref?: string }
    const values = defaults.get($ref.replace(/#$/, ''))
    if (values !== undefined && isObject(request.body)) request.body = { ...values, ...request.body }
    done()
  })
}
