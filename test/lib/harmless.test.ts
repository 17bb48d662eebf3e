import fc from 'fast-check'
import t from 'tap'
import { harmless } from '../../src/lib/harmless.js'

void t.test('no character is left that a terminal obeys, but for those that lay out lines', async (t) => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !/(?![\n\t])\p{Cc}/u.test(harmless(text))))
  t.equal(harmless('a\x1b[31m\tb\n\x9bc\r'), 'a?[31m\tb\n?c?')
})

void t.test('JSON keeps its meaning', async (t) => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), (value) => {
      t.same(JSON.parse(harmless(JSON.stringify(value))), value)
    })
  )
})
