import { Type } from '@sinclair/typebox'
import { ProfileSchema } from '../../profile/schemas.js'
import { defineCall } from '../control-call.js'
import { AssumptionSchema, listAssumptions, profileInForce } from './assumptions.js'

const tag = 'Simulation'

export const ASSUMPTION_CALLS = [
  defineCall({
    name: 'readProfile',
    method: 'GET',
    path: '/profile',
    tag,
    summary: 'Read the profile in force',
    isAcrossSandboxes: true,
    result: ProfileSchema,
    program: { name: 'profile', returns: 'all of it, also the parts that are built in' },
    command: {
      usage: 'profile',
      help: 'Read the profile in force: what the server assumes about the service.',
      examples: ['profile']
    },
    run: ({ plane }) => profileInForce(plane)
  }),

  defineCall({
    name: 'listAssumptions',
    method: 'GET',
    path: '/assumptions',
    tag,
    summary: 'List the built-in assumptions about the service',
    isAcrossSandboxes: true,
    result: Type.Array(AssumptionSchema),
    program: { name: 'assumptions', returns: 'all of them, also those that the profile replaces' },
    command: {
      usage: 'assumptions',
      examples: ['assumptions'],
      tables: [{ what: 'assumptions', columns: { ID: 'id', TOPIC: 'topic', ASSUMPTION: 'says' } }]
    },
    run: ({ plane }) => listAssumptions(plane)
  })
]
