import t from 'tap'
import { isSubset } from '../../src/lib/subset.js'

void t.test('objects may have further fields at any depth, but lists must be equal', async (t) => {
  for (const [wanted, actual, expected] of [
    [{}, { a: 1 }, true],
    [{ a: { b: 1 } }, { a: { b: 1, c: 2 }, d: 3 }, true],
    [{ a: undefined }, {}, false],
    [{ a: 1 }, { a: 2 }, false],
    [[{ a: 1 }], [{ a: 1, b: 2 }], false],
    [{ toString: 1 }, {}, false],
    [null, null, true],
    [{}, null, false],
    [{}, [], false]
  ] as const)
    t.equal(isSubset(wanted, actual), expected, JSON.stringify([wanted, actual]))
})
