import { Type } from '@sinclair/typebox'
import { exportInSlices } from '../../documents/export.js'
import { StateSchema } from '../../documents/schemas.js'
import { notFound } from '../../interface/errors.js'
import { DURATION_FORMS } from '../../lib/time.js'
import { defineCall } from '../control-call.js'
import { listSandboxes } from './all.js'
import { forkSandbox, timeAfter } from './forks.js'
import {
  ForkSchema,
  KEEPABLE,
  NewSandboxSchema,
  PurgedSchema,
  PurgeSchema,
  ResetSchema,
  SandboxFilterSchema,
  SandboxListSchema,
  SnapshotSchema
} from './schemas.js'
import { restoreSnapshot, saveSnapshot, toSnapshotView } from './snapshots.js'
import { replaceState, resetSandbox } from './state.js'

const tag = 'State'

/** A sandbox may be much larger than any body of the interface. */
const bodyLimit = 64 * 1024 * 1024

const ofSnapshot = { name: 'Name of the snapshot.' }

export const SANDBOX_CALLS = [
  defineCall({
    name: 'readState',
    method: 'GET',
    path: '/state',
    tag,
    summary: 'Export the sandbox as one document',
    followsProfile: true,
    result: StateSchema,
    program: { name: 'state.read' },
    command: {
      usage: 'state export [FILE]',
      help: 'Export the sandbox as one JSON document to a file, or to standard output.',
      examples: ['state export state.json']
    },
    inSlices: ({ plane, sandbox }, isTimeUp) => exportInSlices(plane, sandbox, isTimeUp, true)
  }),

  defineCall({
    name: 'replaceState',
    method: 'PUT',
    path: '/state',
    tag,
    summary: 'Import a document, replacing the sandbox',
    makesLarger: true,
    followsProfile: true,
    body: StateSchema,
    checksBody: true,
    bodyLimit,
    program: { name: 'state.replace', throws: 'naming all errors; then nothing is changed' },
    command: {
      usage: 'state import FILE',
      help: 'Import a document (JSON or YAML; - is standard input), replacing the sandbox.',
      examples: ['state import state.json']
    },
    run: (call) => replaceState(call.plane, call, call.body, 'import'),
    says: 'The document was imported.'
  }),

  defineCall({
    name: 'seedSandbox',
    method: 'PUT',
    path: '/seed',
    tag,
    summary: 'Import a document, and make it the baseline that a reset returns to',
    makesLarger: true,
    followsProfile: true,
    body: StateSchema,
    checksBody: true,
    bodyLimit,
    program: { name: 'seed', throws: 'naming all errors; then nothing is changed' },
    command: { usage: 'seed FILE', examples: ['seed seed.yaml'] },
    run: (call) => replaceState(call.plane, call, call.body, 'seed'),
    says: 'The document was imported, and is now the baseline.'
  }),

  defineCall({
    name: 'resetSandbox',
    method: 'POST',
    path: '/reset',
    tag,
    summary: 'Return the sandbox to its baseline',
    body: ResetSchema,
    isBodyOptional: true,
    program: { name: 'reset' },
    command: {
      usage: 'reset',
      flags: {
        keep: {
          value: 'PARTS',
          help: `Parts to leave alone: ${KEEPABLE.join(',')}.`,
          isList: true
        }
      },
      examples: ['reset', 'reset --keep clock,faults']
    },
    run: (call) => resetSandbox(call.plane, call, call.body),
    says: 'The sandbox was reset.'
  }),

  defineCall({
    name: 'listSnapshots',
    method: 'GET',
    path: '/snapshots',
    tag,
    summary: 'List the snapshots',
    result: Type.Array(SnapshotSchema),
    program: { name: 'snapshot.list', returns: 'them by name' },
    command: {
      usage: 'snapshot list',
      examples: ['snapshot list'],
      tables: [{ what: 'snapshots', columns: { NAME: 'name', SAVED: 'created_at' } }]
    },
    run: ({ plane, sandbox }) => plane.snapshots.list(sandbox.key).map(toSnapshotView)
  }),

  defineCall({
    name: 'saveSnapshot',
    method: 'PUT',
    path: '/snapshots/:name',
    tag,
    summary: 'Save a snapshot; one of the same name is replaced',
    makesLarger: true,
    params: ofSnapshot,
    result: SnapshotSchema,
    program: { name: 'snapshot.save' },
    command: { usage: 'snapshot save NAME', examples: ['snapshot save before-resize'] },
    run: (call) => saveSnapshot(call.plane, call, call.params['name']!),
    says: 'The snapshot was saved.'
  }),

  defineCall({
    name: 'restoreSnapshot',
    method: 'POST',
    path: '/snapshots/:name/restore',
    tag,
    summary: 'Restore a snapshot',
    params: ofSnapshot,
    program: { name: 'snapshot.restore', throws: 'if there is no such snapshot' },
    command: { usage: 'snapshot restore NAME', examples: ['snapshot restore before-resize'] },
    run: (call) => restoreSnapshot(call.plane, call, call.params['name']!),
    says: 'The snapshot was restored.'
  }),

  defineCall({
    name: 'deleteSnapshot',
    method: 'DELETE',
    path: '/snapshots/:name',
    tag,
    summary: 'Delete a snapshot',
    params: ofSnapshot,
    program: { name: 'snapshot.delete', throws: 'if there is no such snapshot' },
    command: { usage: 'snapshot delete NAME', examples: ['snapshot delete before-resize'] },
    run: (call) =>
      call.plane.write(call, ({ sandbox }) => {
        const name = call.params['name']!
        if (!call.plane.snapshots.remove(sandbox.key, name)) throw notFound('snapshot', name)
      }),
    says: 'The snapshot was deleted.'
  }),

  defineCall({
    name: 'forkSandbox',
    method: 'POST',
    path: '/sandboxes',
    tag,
    summary: 'Create a sandbox with its own key',
    body: NewSandboxSchema,
    isBodyOptional: true,
    result: ForkSchema,
    program: undefined,
    command: {
      usage: 'sandbox create [FROM]',
      arguments: ['from'],
      help: 'Create a sandbox with its own key from a snapshot or the baseline.',
      flags: {
        ttl: { value: 'DURATION', help: `Its lifetime, ${DURATION_FORMS}; unlimited by default.` }
      },
      examples: ['sandbox create', 'sandbox create before-resize --ttl 1h30m']
    },
    run: ({ plane, sandbox, body }) => forkSandbox(plane, sandbox, body),
    says: 'The sandbox was created.'
  }),

  defineCall({
    name: 'removeSandbox',
    method: 'DELETE',
    path: '/sandboxes',
    tag,
    summary: 'Remove the sandbox with everything in it',
    program: undefined,
    command: { usage: 'sandbox delete', examples: ['sandbox delete --key KEY'] },
    run: ({ plane, sandbox }) => plane.sandboxes.remove(sandbox),
    says: 'The sandbox was removed.'
  }),

  defineCall({
    name: 'listSandboxes',
    method: 'GET',
    path: '/sandboxes',
    tag,
    summary: 'List the sandboxes of the server',
    isAcrossSandboxes: true,
    needsToken: true,
    query: SandboxFilterSchema,
    result: SandboxListSchema,
    program: {
      name: 'sandboxes.list',
      returns: 'a page of them, in order of creation',
      throws: 'naming the field errors of the filter'
    },
    command: {
      usage: 'sandboxes',
      help: 'List the sandboxes of the server; needs --token.',
      flags: {
        limit: { value: 'N', help: 'Maximum number; 100 by default.' },
        after: { value: 'NEXT', help: 'Continue a list: the value of its next.' }
      },
      examples: ['sandboxes --token TOKEN'],
      tables: [
        {
          what: 'sandboxes',
          list: 'sandboxes',
          columns: {
            ID: 'id',
            NAME: 'name',
            WORKGROUPS: 'workgroups',
            WORKSPACES: 'workspaces',
            USED: 'last_used_at',
            EXPIRES: 'expires_at'
          },
          note: { if: 'next', text: 'There are {total}; for the next ones, use --after {next}.' }
        }
      ]
    },
    run: ({ plane, query }) => listSandboxes(plane, query)
  }),

  defineCall({
    name: 'purgeSandboxes',
    method: 'POST',
    path: '/sandboxes/purge',
    tag,
    summary: 'Remove unused sandboxes',
    isAcrossSandboxes: true,
    needsToken: true,
    body: PurgeSchema,
    result: PurgedSchema,
    program: { name: 'sandboxes.purge', gives: 'removed', returns: 'how many were removed' },
    command: {
      usage: 'sandboxes purge IDLE',
      arguments: ['idle'],
      help: `Remove the sandboxes unused for a duration (${DURATION_FORMS}); needs --token.`,
      examples: ['sandboxes purge 7d --token TOKEN']
    },
    run: async ({ plane, body }) => ({ removed: await plane.sandboxes.purge(timeAfter(0, 'idle', body.idle)) }),
    says: ({ removed }) => `Sandboxes removed: ${removed}.`
  })
]
