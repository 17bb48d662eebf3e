import t from 'tap'
import { assumptionFinder } from '../../src/fidelity/ledger.js'
import type { Assumption, FactKey } from '../../src/interface/assumption.js'

const assume = (id: string, ...about: FactKey[]): Assumption => ({
  id,
  topic: 'T',
  says: 'It is so.',
  change: 'no',
  about
})

const find = assumptionFinder([
  assume('refused', { aspect: 'status', condition: 'notAllowed' }),
  assume('pause', { aspect: 'status', operation: 'pauseWorkspace' }),
  assume('one', { aspect: 'value', schema: 'Workspace' }),
  assume('two', { aspect: 'value', operation: 'getWorkspace' }, { aspect: 'value', schema: 'Workspace' })
])
const idsFor = (fact: FactKey) => find(fact).map(({ id }) => id)

void t.test('of equally specific patterns, those with a condition win, otherwise all count', async (t) => {
  t.strictSame(idsFor({ aspect: 'status', operation: 'pauseWorkspace' }), ['pause'])
  t.strictSame(idsFor({ aspect: 'status', operation: 'pauseWorkspace', condition: 'notAllowed' }), ['refused'])
  t.strictSame(idsFor({ aspect: 'value', operation: 'getWorkspace', schema: 'Workspace' }), ['one', 'two'])
})
