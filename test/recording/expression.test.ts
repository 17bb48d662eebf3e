import t from 'tap'
import { conditionOf, queryOf } from '../../src/recording/expression.js'

void t.test('an expression sees what a document has, and nothing that its objects inherit', (t) => {
  const document = { group: { name: 'a', list: [1, 2] }, constructor: 'own', empty: {} }
  for (const name of ['__proto__', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__']) {
    t.equal(queryOf(`group.${name}`)(document), null, name)
    t.notOk(conditionOf(name)(document), name)
  }
  t.equal(queryOf('constructor')(document), 'own')
  t.equal(queryOf('group.constructor')(document), null)
  t.equal(queryOf('group.list.length')(document), null)
  t.same(queryOf('group')(document), document.group)
  t.ok(conditionOf('group && !empty && group.name == `"a"`')(document))
  t.end()
})
