import t from 'tap'
import { OPERATION_IDS } from '../../src/interface/operation-ids.js'
import { readOperations } from '../operations.js'

void t.test('the operationIds are those of docs/interface.md, in the order of their numbers', async (t) => {
  const operations = readOperations().sort((a, b) => a.number - b.number)
  t.strictSame(
    OPERATION_IDS,
    operations.map(({ operationId }) => operationId)
  )
})
