import t from 'tap'
import { heapSize, textSize } from '../../src/journal/budget.js'

void t.test('a text takes a byte per character, or two if it is long and not Latin-1', async (t) => {
  const characters = (text: string) => textSize(text) - textSize('')
  t.ok(textSize('') > 0)
  t.equal(characters('x'.repeat(65)), 65)
  t.equal(characters('\xff'.repeat(65)), 65)
  t.equal(characters('€'.repeat(64)), 64, 'a short one is not scanned')
  t.equal(characters('€'.repeat(65)), 130)
  t.equal(characters(`${'x'.repeat(64)}€`), 130)
})

void t.test('all parts of a value count', async (t) => {
  for (const value of [undefined, null, true, false]) t.equal(heapSize(value), 0)
  t.ok(heapSize(5) > 0)
  t.equal(heapSize('abc'), textSize('abc'))
  const item = heapSize([5]) - heapSize([])
  t.ok(item > heapSize(5), 'a number, and its slot in the array')
  t.equal(heapSize([5, 5, 5]), heapSize([]) + 3 * item)
  t.ok(heapSize({ a: 5 }) > heapSize({}) + heapSize(5))
  t.equal(heapSize({ abc: 5 }), heapSize({ a: 5 }) + 2, 'names of fields count as well')
  t.equal(heapSize({ a: 'x', b: 'x' }), heapSize({}) + 2 * (heapSize({ a: 'x' }) - heapSize({})))
  t.equal(heapSize([{ a: [] }]), heapSize([true]) + heapSize({ a: true }) + heapSize([]))
})

void t.test('counting stops as soon as there is more than enough', async (t) => {
  t.ok(heapSize(['x'], heapSize([true])) > heapSize([true]))
  t.ok(heapSize({ a: 'x' }, heapSize({ a: true })) > heapSize({ a: true }))
  const one = heapSize('x'.repeat(1000))
  t.ok(heapSize(['x'.repeat(1000), 'x'.repeat(1000)], 500) < 2 * one, 'the other text is not counted')
  t.ok(heapSize(Array(1000).fill('x'.repeat(1000)), 500) < 10 * one)
  const trap = {
    a: 1,
    get b() {
      t.fail('nobody looks at the second field')
      return 1
    }
  }
  t.ok(heapSize(trap, 10) > 10)
})
