import fc from 'fast-check'
import t from 'tap'
import { Heap } from '../../src/lib/heap.js'

interface Item {
  readonly key: number
}

void t.test('its first item is always the least, whatever was added and removed', (t) => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(20), fc.option(fc.nat(50)))), (steps) => {
      const heap = new Heap<Item>((a, b) => a.key < b.key)
      let all: Item[] = []
      for (const [key, removed] of steps) {
        if (removed === null) {
          const item = { key }
          heap.add(item)
          all.push(item)
        } else if (all.length > 0) {
          const item = all[removed % all.length]!
          if (!heap.remove(item) || heap.remove(item)) return false
          all = all.filter((other) => other !== item)
        }
        if (heap.size !== all.length || heap.first?.key !== [...all].sort((a, b) => a.key - b.key)[0]?.key) return false
      }
      return true
    })
  )
  t.end()
})

void t.test('taken one after the other, the items are in order', (t) => {
  const heap = new Heap<Item>((a, b) => a.key < b.key)
  for (const key of [5, 3, 8, 1, 9, 2, 7]) heap.add({ key })
  const keys: number[] = []
  for (let { first } = heap; first !== undefined; { first } = heap) {
    keys.push(first.key)
    heap.remove(first)
  }
  t.strictSame(keys, [1, 2, 3, 5, 7, 8, 9])
  t.end()
})
