import { Type } from '@sinclair/typebox'
import { type FaultRule, FaultRuleSchema, FaultSchema, FaultsRemovedSchema } from '../../sandboxes/fault-schemas.js'
import { addFault, clearFaults, listFaults, removeFault } from '../../test-control/faults/faults.js'
import { addControl, type ControlRoutes } from './route.js'

const tag = 'Faults'

export const faultRoutes: ControlRoutes = (app, { plane }, done) => {
  addControl(
    app,
    'POST',
    '/faults',
    {
      operationId: 'addFault',
      tag,
      summary: 'Add a fault',
      body: FaultRuleSchema,
      result: FaultSchema
    },
    async (request) => {
      const fault = await addFault(plane, request, request.body as FaultRule)
      return { message: `Fault added: ${fault.id}.`, result: fault }
    }
  )

  addControl(
    app,
    'GET',
    '/faults',
    {
      operationId: 'listFaults',
      tag,
      summary: 'List the faults, and how often each has fired',
      result: Type.Array(FaultSchema)
    },
    ({ sandbox }) => {
      const faults = listFaults(plane, sandbox)
      return { message: `Faults: ${faults.length}.`, result: faults }
    }
  )

  addControl(
    app,
    'DELETE',
    '/faults',
    {
      operationId: 'removeFaults',
      tag,
      summary: 'Remove all faults',
      result: FaultsRemovedSchema
    },
    async (request) => removal(await clearFaults(plane, request))
  )

  addControl(
    app,
    'DELETE',
    '/faults/:id',
    {
      operationId: 'removeFault',
      tag,
      summary: 'Remove a fault',
      params: { id: 'Id of the fault.' },
      result: FaultsRemovedSchema
    },
    async (request) => {
      await removeFault(plane, request, request.params['id']!)
      return removal(1)
    }
  )

  done()
}

const removal = (removed: number) => ({ message: `Faults removed: ${removed}.`, result: { removed } })
