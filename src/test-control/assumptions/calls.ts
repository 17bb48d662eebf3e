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
    summary: 'Read what is assumed about the service',
    isAcrossSandboxes: true,
    result: ProfileSchema,
    program: { name: 'profile', returns: 'everything, with nothing left out' },
    command: {
      usage: 'profile',
      help: 'Read what the server assumes about the service, as a profile.',
      examples: ['profile']
    },
    run: ({ plane }) => profileInForce(plane),
    says: ({ name }) => `The profile ${name} is in force.`
  }),

  defineCall({
    name: 'listAssumptions',
    method: 'GET',
    path: '/assumptions',
    tag,
    summary: 'List the assumptions about the service that are built in, by their ids',
    isAcrossSandboxes: true,
    result: Type.Array(AssumptionSchema),
    program: { name: 'assumptions', returns: 'them, also those that the profile replaces' },
    command: {
      usage: 'assumptions',
      help: 'List the built-in assumptions about the service.',
      examples: ['assumptions'],
      tables: [
        {
          what: 'assumptions',
          columns: { ID: 'id', TOPIC: 'topic', ASSUMPTION: 'says' }
        }
      ]
    },
    run: ({ plane }) => listAssumptions(plane),
    says: ({ length }) => `Assumptions: ${length}.`
  })
]
