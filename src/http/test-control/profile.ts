import { toProfileDocument } from '../../profile/profile.js'
import { ProfileSchema } from '../../profile/schemas.js'
import { STATES } from '../../resources/states.js'
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

  done()
}
