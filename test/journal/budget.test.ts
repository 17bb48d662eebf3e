import t from 'tap'
import { Budget, type Keeper } from '../../src/journal/budget.js'

/** Keeps records of ten bytes each. */
class Records implements Keeper {
  bytes = 0
  readonly #budget: Budget

  constructor(budget: Budget) {
    this.#budget = budget
  }

  add(): void {
    this.#grow(10)
    this.#budget.use(this)
  }

  giveUp(): void {
    if (this.bytes === 0) throw new Error('there is nothing to give up')
    this.#grow(-10)
  }

  #grow(bytes: number): void {
    this.bytes += bytes
    this.#budget.count(bytes)
  }
}

function open(limit: number) {
  const budget = new Budget(limit)
  const keepers = [new Records(budget), new Records(budget), new Records(budget)] as const
  return { budget, keepers, sizes: () => keepers.map(({ bytes }) => bytes) }
}

void t.test('what just fits stays; beyond that, the one that was not used for longest gives up', async (t) => {
  const {
    budget,
    keepers: [a, b, c],
    sizes
  } = open(30)
  a.add()
  a.add()
  b.add()
  t.strictSame(sizes(), [20, 10, 0])
  a.add()
  t.strictSame(sizes(), [30, 0, 0])
  c.add()
  t.strictSame(sizes(), [20, 0, 10], 'the one that has nothing left is passed over')
  b.add()
  t.strictSame(sizes(), [10, 10, 10])
  t.equal(budget.bytes, 30)
})

void t.test('one alone gives up its own', async (t) => {
  const {
    keepers: [a],
    sizes
  } = open(30)
  for (let i = 0; i < 10; i++) a.add()
  t.strictSame(sizes(), [30, 0, 0])
})

void t.test('who has left is not asked to give up anything', async (t) => {
  const {
    budget,
    keepers: [a, b],
    sizes
  } = open(20)
  a.add()
  budget.leave(a)
  b.add()
  b.add()
  t.strictSame(sizes(), [10, 10, 0])
})
