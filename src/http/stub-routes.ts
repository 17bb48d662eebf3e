import type { FastifyInstance, FastifyPluginCallback, FastifyRequest } from 'fastify'
import { found } from '../interface/errors.js'
import { isObject } from '../lib/json.js'
import { maskKeepingCounts } from '../lib/secrets.js'
import { fillPath } from '../profile/path-template.js'
import { ITEM, type Stub, type StubCollection } from '../profile/stubs.js'
import type { ControlPlane } from '../resources/control-plane.js'
import type { SandboxStores, Tx } from '../resources/tx.js'
import { noteActivity } from '../test-control/workspaces/calls.js'
import type { ToWire } from './error-handler.js'
import { injectFaults } from './hooks/inject-faults.js'
import { sendReply, valuesOf } from './profile-reply.js'
import type { OnRequest } from './request-context.js'

/**
 * The stubs of a profile. They are not operations, even if they need a credential: they do not count in the coverage,
 * and only their errors are translated.
 */
export const stubRoutes: FastifyPluginCallback<{
  plane: ControlPlane
  stubs: readonly Stub[]
  limit: OnRequest | undefined
  toWire: ToWire
}> = (app, { plane, stubs, limit, toWire }, done) => {
  for (const stub of stubs) if (!stub.needsCredential) addStub(app, plane, stub)
  // Limits and faults are those of a sandbox.
  void app.register((entered, _options, isReady) => {
    if (limit !== undefined) entered.addHook('onRequest', limit)
    injectFaults(entered, plane, toWire)
    for (const stub of stubs) if (stub.needsCredential) addStub(entered, plane, stub)
    isReady()
  })
  done()
}

function addStub(app: FastifyInstance, plane: ControlPlane, stub: Stub): void {
  const { method, path, name, request: body, needsCredential, activity, collection } = stub
  app.route({
    method,
    url: fillPath(path.text, (_, parameter) => `:${parameter}`),
    config: {
      access: needsCredential ? 'either' : undefined,
      stub: name,
      // If it stores nothing, it works even with a full database.
      isRead: collection === undefined
    },
    schema: { hide: true, ...(body !== undefined && { body }) },
    handler: async (request, reply) => {
      void reply.header('x-mock-stub', name)
      if (activity !== undefined) {
        const id = activity(valuesOf(plane, request))
        await noteActivity(plane, request, plane.profile.edge.replies?.ids?.fromWire(id) ?? id)
      }
      const result = collection && (await perform(plane, collection, request))
      sendReply(reply, stub, valuesOf(plane, request, result))
      return reply
    }
  })
}

/** Reads or changes the items of a collection. @returns the item, or the list; null after a deletion */
async function perform(plane: ControlPlane, collection: StubCollection, request: FastifyRequest): Promise<unknown> {
  const { action, id: field } = collection
  const params = request.params as Readonly<Record<string, string>>
  const id = params[ITEM] ?? ''
  const path = fillPath(collection.path, (_, name) => encodeURIComponent(params[name]!))
  const itemIn = ({ stubItems }: SandboxStores | Tx) => found(stubItems.find(path, id), field, id)
  // Passwords are never stored in clear.
  const body = isObject(request.body) ? maskKeepingCounts(request.body) : {}
  switch (action) {
    case 'list':
      return plane
        .storesOf(request.sandbox)
        .stubItems.list(path)
        .map(({ value }) => value)
    case 'read':
      return itemIn(plane.storesOf(request.sandbox)).value
    case 'create':
      return plane.write(request, (tx) => {
        tx.resources.take()
        const own = tx.newId()
        const adds = collection.adds(valuesOf(plane, request)) as object
        const value = { [field]: own, ...body, ...adds, [field]: own }
        tx.stubItems.insert({ path, id: own, value })
        return value
      })
    case 'update':
      return plane.write(request, (tx) => {
        const item = itemIn(tx)
        const value = { ...item.value, ...body, [field]: id }
        tx.stubItems.save({ ...item, value })
        return value
      })
    case 'delete':
      return plane.write(request, (tx) => {
        itemIn(tx)
        tx.stubItems.remove(path, id)
        return null
      })
  }
}
