import t from 'tap'
import { fillPath, queryText } from '../../src/lib/fill-path.js'

void t.test('values are encoded in paths and queries, and a query omits undefined parameters', async (t) => {
  t.equal(fillPath('/a/:id/:other', { id: 'a/b', other: 0 }), '/a/a%2Fb/0')
  t.equal(queryText({ a: 'b&c', none: undefined, zero: 0 }), '?a=b%26c&zero=0')
  t.equal(queryText({ none: undefined }), '')
})
