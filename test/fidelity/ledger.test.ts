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

const { about: _, ...unseen } = assume('unseen')
const find = assumptionFinder([
  assume('any', { aspect: 'status' }),
  assume('refused', { aspect: 'status', condition: 'notAllowed' }),
  assume('deletion', { aspect: 'status', operation: 'deleteWorkgroup', condition: 'notAllowed' }),
  assume('pause', { aspect: 'status', operation: 'pauseWorkspace' }),
  assume('one', { aspect: 'value', schema: 'Workspace' }),
  assume('two', { aspect: 'value', operation: 'getWorkspace' }, { aspect: 'value', schema: 'Workspace' }),
  unseen
])
const idsFor = (fact: FactKey) => find(fact).map(({ id }) => id)

void t.test('the most specific pattern decides about which assumption a fact is', async (t) => {
  t.strictSame(idsFor({ aspect: 'status' }), ['any'])
  t.strictSame(idsFor({ aspect: 'status', operation: 'deleteWorkgroup' }), ['any'])
  t.strictSame(idsFor({ aspect: 'status', operation: 'getWorkgroup', condition: 'notAllowed' }), ['refused'])
  t.strictSame(idsFor({ aspect: 'status', operation: 'deleteWorkgroup', condition: 'notAllowed' }), ['deletion'])
  t.strictSame(idsFor({ aspect: 'order' }), [], 'an aspect that no assumption is about')
})

void t.test('of equally specific patterns, those with a condition win, otherwise all count', async (t) => {
  t.strictSame(idsFor({ aspect: 'status', operation: 'pauseWorkspace' }), ['pause'])
  t.strictSame(idsFor({ aspect: 'status', operation: 'pauseWorkspace', condition: 'notAllowed' }), ['refused'])
  t.strictSame(idsFor({ aspect: 'value', operation: 'getWorkspace', schema: 'Workspace' }), ['one', 'two'])
})
