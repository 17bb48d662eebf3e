import { Type } from '@sinclair/typebox'
import { toProfileDocument } from '../../profile/profile.js'
import { ProfileSchema } from '../../profile/schemas.js'
import { STATES } from '../../resources/states.js'
import { defineCall } from '../control-call.js'
import { listPlaceholders, PlaceholderSchema } from './placeholders.js'

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
    run: ({ plane }) => toProfileDocument(plane.profile, STATES),
    says: ({ name }) => `The profile ${name} is in force.`
  }),

  defineCall({
    name: 'listPlaceholders',
    method: 'GET',
    path: '/placeholders',
    tag,
    summary: 'List the assumptions about the service that are built in, by their ids',
    isAcrossSandboxes: true,
    result: Type.Array(PlaceholderSchema),
    program: { name: 'placeholders', returns: 'them, also those that the profile replaces' },
    command: {
      usage: 'placeholders',
      help: 'List the built-in assumptions about the service.',
      examples: ['placeholders'],
      tables: [
        {
          what: 'assumptions',
          columns: { ID: 'id', TOPIC: 'topic', ASSUMPTION: 'says' },
          flexible: 'ASSUMPTION'
        }
      ]
    },
    run: ({ plane }) => listPlaceholders(plane),
    says: ({ length }) => `Assumptions: ${length}.`
  })
]
