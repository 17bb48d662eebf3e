import { Type } from '@sinclair/typebox'
import { exportInSlices } from '../../documents/export.js'
import { type StateDocument, StateSchema } from '../../documents/schemas.js'
import { listSandboxes, purgeSandboxes, requireToken } from '../../test-control/sandboxes/all.js'
import { forkSandbox, type NewFork } from '../../test-control/sandboxes/forks.js'
import {
  ForkSchema,
  NewSandboxSchema,
  PurgedSchema,
  PurgeSchema,
  ResetSchema,
  SandboxFilterSchema,
  SandboxListSchema,
  SnapshotSchema
} from '../../test-control/sandboxes/schemas.js'
import { listSnapshots, removeSnapshot, restoreSnapshot, saveSnapshot } from '../../test-control/sandboxes/snapshots.js'
import { replaceState, resetSandbox, seedSandbox } from '../../test-control/sandboxes/state.js'
import { numberOf, withLimit } from './query.js'
import { addControl, type ControlRoutes } from './route.js'

const tag = 'State'

/** A sandbox may be much larger than any body of the interface. */
const bodyLimit = 64 * 1024 * 1024

export const sandboxRoutes: ControlRoutes = (app, { plane, reads }, done) => {
  const state = plane.profile.schema(StateSchema)
  addControl(
    app,
    'GET',
    '/state',
    {
      operationId: 'readState',
      tag,
      summary: 'Export the sandbox as one document',
      result: state
    },
    (request, reply) =>
      reads.answerInSlices(request, reply, function* (isTimeUp) {
        return {
          message: 'The sandbox, without its journal and snapshots.',
          text: JSON.stringify(yield* exportInSlices(plane, request.sandbox, isTimeUp, true))
        }
      }) ?? reply
  )

  addControl(
    app,
    'PUT',
    '/state',
    {
      operationId: 'replaceState',
      tag,
      summary: 'Import a document, replacing the sandbox',
      body: state,
      bodyLimit
    },
    async (request) => {
      await replaceState(plane, request, request.body as StateDocument)
      return { message: 'The document was imported.' }
    }
  )

  addControl(
    app,
    'PUT',
    '/seed',
    {
      operationId: 'seedSandbox',
      tag,
      summary: 'Import a document, and make it the baseline that a reset returns to',
      body: state,
      bodyLimit
    },
    async (request) => {
      await seedSandbox(plane, request, request.body as StateDocument)
      return { message: 'The document was imported, and is now the baseline.' }
    }
  )

  addControl(
    app,
    'POST',
    '/reset',
    {
      operationId: 'resetSandbox',
      tag,
      summary: 'Return the sandbox to its baseline',
      body: ResetSchema,
      isBodyOptional: true
    },
    async (request) => {
      await resetSandbox(plane, request, request.body ?? {})
      return { message: 'The sandbox was reset.' }
    }
  )

  addControl(
    app,
    'GET',
    '/snapshots',
    {
      operationId: 'listSnapshots',
      tag,
      summary: 'List the snapshots',
      result: Type.Array(SnapshotSchema)
    },
    ({ sandbox }) => {
      const snapshots = listSnapshots(plane, sandbox)
      return { message: `Snapshots: ${snapshots.length}.`, result: snapshots }
    }
  )

  const params = { name: 'Name of the snapshot.' }
  addControl(
    app,
    'PUT',
    '/snapshots/:name',
    {
      operationId: 'saveSnapshot',
      tag,
      summary: 'Save a snapshot; one of the same name is replaced',
      params,
      result: SnapshotSchema
    },
    async (request) => ({
      message: 'The snapshot was saved.',
      result: await saveSnapshot(plane, request, request.params['name']!)
    })
  )

  addControl(
    app,
    'POST',
    '/snapshots/:name/restore',
    {
      operationId: 'restoreSnapshot',
      tag,
      summary: 'Restore a snapshot',
      params
    },
    async (request) => {
      await restoreSnapshot(plane, request, request.params['name']!)
      return { message: 'The snapshot was restored.' }
    }
  )

  addControl(
    app,
    'DELETE',
    '/snapshots/:name',
    {
      operationId: 'deleteSnapshot',
      tag,
      summary: 'Delete a snapshot',
      params
    },
    async (request) => {
      await removeSnapshot(plane, request, request.params['name']!)
      return { message: 'The snapshot was deleted.' }
    }
  )

  addControl(
    app,
    'POST',
    '/sandboxes',
    {
      operationId: 'forkSandbox',
      tag,
      summary: 'Create a sandbox with its own key',
      body: NewSandboxSchema,
      result: ForkSchema
    },
    async ({ sandbox, body }) => ({
      message: 'The sandbox was created.',
      result: await forkSandbox(plane, sandbox, body as NewFork)
    })
  )

  addControl(
    app,
    'DELETE',
    '/sandboxes',
    {
      operationId: 'removeSandbox',
      tag,
      summary: 'Remove the sandbox with everything in it'
    },
    async ({ sandbox }) => {
      await plane.sandboxes.remove(sandbox)
      return { message: 'The sandbox was removed.' }
    }
  )

  addControl(
    app,
    'GET',
    '/sandboxes',
    {
      operationId: 'listSandboxes',
      tag,
      summary: 'List the sandboxes of the server; needs --control-token',
      isAcrossSandboxes: true,
      query: SandboxFilterSchema,
      result: SandboxListSchema
    },
    ({ query: { after, ...query } }) => {
      requireToken(plane)
      const result = listSandboxes(plane, {
        ...withLimit(query),
        ...(after === undefined ? {} : { after: numberOf(after) })
      })
      return { message: `Sandboxes: ${result.total}.`, result }
    }
  )

  addControl(
    app,
    'POST',
    '/sandboxes/purge',
    {
      operationId: 'purgeSandboxes',
      tag,
      summary: 'Remove unused sandboxes; needs --control-token',
      isAcrossSandboxes: true,
      body: PurgeSchema,
      result: PurgedSchema
    },
    async ({ body }) => {
      requireToken(plane)
      const removed = await purgeSandboxes(plane, body as { idle: string })
      return { message: `Sandboxes removed: ${removed}.`, result: { removed } }
    }
  )

  done()
}
