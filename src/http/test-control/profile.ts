import { Type } from '@sinclair/typebox'
import { toProfileDocument } from '../../profile/profile.js'
import { ProfileSchema } from '../../profile/schemas.js'
import { STATES } from '../../resources/states.js'
import { listPlaceholders, PlaceholderSchema } from '../../test-control/placeholders/placeholders.js'
import { addControl, type ControlRoutes } from './route.js'

export const profileRoutes: ControlRoutes = (app, { plane }, done) => {
  addControl(
    app,
    'GET',
    '/profile',
    {
      operationId: 'readProfile',
      tag: 'Simulation',
      summary: 'Read what is assumed about the service',
      isAcrossSandboxes: true,
      result: ProfileSchema
    },
    () => ({
      message: `The profile ${plane.profile.name} is in force.`,
      result: toProfileDocument(plane.profile, STATES)
    })
  )

  addControl(
    app,
    'GET',
    '/placeholders',
    {
      operationId: 'listPlaceholders',
      tag: 'Simulation',
      summary: 'List the assumptions about the service that are built in, by their ids',
      isAcrossSandboxes: true,
      result: Type.Array(PlaceholderSchema)
    },
    async () => {
      const result = await listPlaceholders(plane)
      return { message: `Assumptions: ${result.length}.`, result }
    }
  )

  done()
}
