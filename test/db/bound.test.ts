import t from 'tap'
import { binder } from '../../src/db/table.js'

class Shelf {
  readonly #rows = new Map<number, string[]>()

  add(sandbox: number, row: string, times = 1): void {
    this.#rows.set(sandbox, [...this.list(sandbox), ...Array.from({ length: times }, () => row)])
  }

  list(sandbox: number): string[] {
    return this.#rows.get(sandbox) ?? []
  }
}

void t.test('a bound store works on the rows of its sandbox', async (t) => {
  const shelf = new Shelf()
  const bind = binder(shelf)
  bind(1).add('a')
  bind(2).add('b', 2)
  t.strictSame([bind(1).list(), bind(2).list(), bind(3).list()], [['a'], ['b', 'b'], []])
  t.strictSame(shelf.list(2), ['b', 'b'])
})

void t.test('a method that a store gets later counts for its views, too', async (t) => {
  const shelf = new Shelf()
  const view = binder(shelf)(1)
  t.intercept(shelf, 'list', { value: () => ['replaced'] })
  t.strictSame(view.list(), ['replaced'])
})
