import { check } from '../../interface/check.js'
import { readCoverage } from '../../test-control/coverage/coverage.js'
import { coverageAsJUnit } from '../../test-control/coverage/junit.js'
import { CoverageQuerySchema, CoverageSchema } from '../../test-control/coverage/schemas.js'
import { addControl, type ControlRoutes } from './route.js'

const tag = 'Coverage'

export const coverageRoutes: ControlRoutes = (app, { plane }, done) => {
  addControl(
    app,
    'GET',
    '/coverage',
    {
      operationId: 'readCoverage',
      tag,
      summary: 'Read the coverage of the interface',
      query: CoverageQuerySchema,
      result: CoverageSchema,
      otherType: 'application/xml',
      description: 'With `format=junit`, the reply is JUnit XML (application/xml).'
    },
    ({ sandbox, query }) => {
      check(CoverageQuerySchema, query)
      const result = readCoverage(plane, sandbox)
      const { exercised, total } = result.summary.operations
      const message = `Operations exercised: ${exercised} of ${total}.`
      return query.format === 'junit'
        ? { message, document: { type: 'application/xml; charset=utf-8', content: coverageAsJUnit(result) } }
        : { message, result }
    }
  )

  addControl(
    app,
    'DELETE',
    '/coverage',
    {
      operationId: 'clearCoverage',
      tag,
      summary: 'Reset the coverage'
    },
    ({ sandbox }) => {
      sandbox.coverage.clear()
      return { message: 'The coverage was reset.' }
    }
  )

  done()
}
