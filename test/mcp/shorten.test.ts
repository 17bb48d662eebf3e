import fc from 'fast-check'
import t from 'tap'
import { shorten } from '../../src/mcp/shorten.js'

void t.test('a short value is complete, and a long one is cut to the limit, with a note', async (t) => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 20, max: 2000 }), (value, most) => {
      const { text, note } = shorten(value, most)
      const isWhole = JSON.stringify(value).length <= most
      return text.length <= most && (note === undefined) === isWhole && (!isWhole || text === JSON.stringify(value))
    })
  )
  t.pass()
})

void t.test('long lists and texts show their beginning, and count the rest', async (t) => {
  const items = Array.from({ length: 5000 }, (_, index) => ({ index, text: 'x'.repeat(500) }))
  const { text, note } = shorten({ items, last: true })
  const cut = JSON.parse(text) as { items: ({ index: number; text: string } | string)[]; last: boolean }
  const shown = cut.items.length - 1
  t.ok(shown >= 10 && shown <= 100)
  t.match(cut.items[0], { index: 0, text: /^x+… \d+ more$/ })
  t.equal(cut.items.at(-1), `… ${5000 - shown} more`)
  t.equal(cut.last, true, 'what follows is still there')
  t.match(note, `At most ${shown} items`)
})
