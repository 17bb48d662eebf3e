import { readOverview } from '../../test-control/overview/overview.js'
import { OverviewSchema } from '../../test-control/overview/schemas.js'
import { addControl, type ControlRoutes } from './route.js'

export const overviewRoutes: ControlRoutes = (app, { plane, reads }, done) => {
  addControl(
    app,
    'GET',
    '/overview',
    {
      operationId: 'readOverview',
      tag: 'Watching',
      summary: 'Read a summary of the sandbox',
      result: OverviewSchema
    },
    (request, reply) =>
      reads.answerInSlices(request, reply, function* (isTimeUp) {
        const overview = yield* readOverview(plane, request.sandbox, isTimeUp)
        return {
          message: `Workgroups: ${overview.workgroups.length}; workspaces: ${overview.workspaces.length}.`,
          text: JSON.stringify(overview)
        }
      }) ?? reply
  )

  done()
}
