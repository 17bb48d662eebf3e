import { readOverview } from '../../test-control/overview/overview.js'
import { OverviewSchema } from '../../test-control/overview/schemas.js'
import { addControl, type ControlRoutes } from './route.js'

export const overviewRoutes: ControlRoutes = (app, { plane }, done) => {
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
    ({ sandbox }) => {
      const overview = readOverview(plane, sandbox)
      return {
        message: `Workgroups: ${overview.workgroups.length}; workspaces: ${overview.workspaces.length}.`,
        result: overview
      }
    }
  )

  done()
}
