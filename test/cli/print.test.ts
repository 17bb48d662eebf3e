import fc from 'fast-check'
import t from 'tap'
import { harmless } from '../../src/cli/print.js'

void t.test('control characters are escaped, except line breaks and tabs', async (t) => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !/(?![\n\t])\p{Cc}/u.test(harmless(text))))
  t.equal(harmless('a\x1b[31m\tb\n\x9bc\r'), 'a\\u001b[31m\tb\n\\u009bc\\u000d')
})

void t.test('JSON keeps its meaning', async (t) => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), (value) => {
      t.same(JSON.parse(harmless(JSON.stringify(value))), value)
    })
  )
})
