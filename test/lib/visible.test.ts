import t from 'tap'
import { isVisible, NOT_VISIBLE } from '../../src/lib/visible.js'

void t.test('a text can stand in a header if each of its characters is visible and in ASCII', async (t) => {
  for (const text of ['a', '!', '~', 'key-1', '"{}"']) t.equal(isVisible(text), true, text)
  for (const text of ['', ' ', ' a', 'a ', 'a b', 'a\n', '\x7f', 'ä', 'aä', 'äa']) t.equal(isVisible(text), false, text)
  t.match(NOT_VISIBLE, /^must .*visible/)
})
