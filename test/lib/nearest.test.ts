import t from 'tap'
import { nearest } from '../../src/lib/nearest.js'

const KNOWN = ['status', 'name', 'is_rw', 'Active', 'Stopped']

void t.test('a word that is known, unlike all others, or too long has no suggestion', async (t) => {
  for (const word of ['status', 'Active', '', 'x', 'region', 'mane_of', `status${'s'.repeat(80)}`])
    t.equal(nearest(word, KNOWN), undefined, word)
  t.equal(nearest('a', []), undefined)
})
