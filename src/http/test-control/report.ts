import { readReport } from '../../test-control/report/report.js'
import { ReportSchema } from '../../test-control/report/schemas.js'
import { addControl, type ControlRoutes } from './route.js'

export const reportRoutes: ControlRoutes = (app, { plane }, done) => {
  addControl(
    app,
    'GET',
    '/report',
    {
      operationId: 'readReport',
      tag: 'Requests',
      summary: 'Review the requests of the client',
      result: ReportSchema
    },
    async ({ sandbox }) => {
      const result = await readReport(plane, sandbox)
      return { message: `Findings: ${result.findings.length}; left behind: ${result.left_behind.length}.`, result }
    }
  )

  done()
}
