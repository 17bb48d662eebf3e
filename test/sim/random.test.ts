import fc from 'fast-check'
import t from 'tap'
import { finish } from '../../src/lib/scheduler.js'
import {
  drawsPast,
  freshSalt,
  freshSeed,
  Random,
  randomFrom,
  type RandomState,
  seedFrom,
  seedSource,
  uuidFrom
} from '../../src/sim/random.js'
import { UUID } from '../helper.js'

const SEED = seedFrom('a test')

void t.test('a stream gives version 4 UUIDs in lower case, and none twice', async (t) => {
  const random = new Random({ seed: SEED, draws: 0 })
  const ids = new Set<string>()
  let malformed = 0
  for (let i = 0; i < 100_000; i++) {
    const id = random.uuid()
    if (!UUID.test(id)) malformed++
    ids.add(id)
  }
  t.equal(malformed, 0)
  t.equal(ids.size, 100_000)
})

void t.test('a seed fixes the stream, for good', async (t) => {
  const first = () => {
    const random = new Random({ seed: '000000010000000200000003', draws: 0 })
    return [random.uuid(), random.uuid()]
  }
  t.strictSame(first(), first())
  // A change of the generator would change every id that a test has noted down.
  t.strictSame(first(), ['0001a6ed-6638-4405-9bd5-e2427d2f7101', '00016c52-af66-41f8-853b-a9eeb28e6241'])
})

void t.test('ids drawn one after the other begin alike, and the rest of them differs', async (t) => {
  const random = new Random({ seed: '000000010000000200000003', draws: 63 })
  const ids = Array.from({ length: 64 }, () => random.uuid())
  t.equal(new Set(ids.map((id) => id.slice(0, 4))).size, 1)
  t.equal(new Set(ids.map((id) => id.slice(4, 8))).size, 64)
  t.not(random.uuid().slice(0, 4), ids[0]!.slice(0, 4), 'the next 64 begin otherwise')
})

void t.test('block n depends on the seed and n alone, so that a stream goes on after a restart', async (t) => {
  fc.assert(
    fc.property(fc.nat(200), fc.nat(50), (before, after) => {
      const whole = new Random({ seed: SEED, draws: 0 })
      for (let i = 0; i < before; i++) whole.uuid()
      const state = { seed: SEED, draws: before }
      const resumed = new Random(state)
      for (let i = 0; i <= after; i++) if (whole.uuid() !== resumed.uuid()) return false
      return state.draws === before + after + 1
    })
  )
  t.pass('for all places to stop at')
})

void t.test('a UUID and a fraction each use up one block', async (t) => {
  const mixed = { seed: SEED, draws: 0 }
  const random = new Random(mixed)
  random.fraction()
  t.equal(mixed.draws, 1)
  const second = random.uuid()
  t.equal(mixed.draws, 2)
  t.equal(new Random({ seed: SEED, draws: 1 }).uuid(), second)
})

void t.test('streams of different seeds have nothing in common, even if the seeds are nearly the same', async (t) => {
  const ids = new Set<string>()
  for (let seed = 0; seed < 1000; seed++) {
    const random = new Random({ seed: seed.toString(16).padStart(24, '0'), draws: 0 })
    for (let i = 0; i < 20; i++) ids.add(random.uuid())
  }
  t.equal(ids.size, 20_000)
})

void t.test('a stream does not begin again after 2^32 blocks', async (t) => {
  for (const draws of [0, 1, 1000]) {
    t.not(new Random({ seed: SEED, draws: draws + 2 ** 32 }).uuid(), new Random({ seed: SEED, draws }).uuid())
  }
})

void t.test('fractions are in [0, 1) and evenly spread', async (t) => {
  const random = new Random({ seed: SEED, draws: 0 })
  const tenths = Array.from({ length: 10 }, () => 0)
  for (let i = 0; i < 100_000; i++) {
    const fraction = random.fraction()
    if (fraction < 0 || fraction >= 1) t.fail(`${fraction} is out of range`)
    tenths[Math.floor(fraction * 10)]!++
  }
  // The standard deviation of each count is 95; the seed is fixed, so this cannot fail by chance.
  for (const n of tenths) t.ok(Math.abs(n - 10_000) < 400, `${n} is about a tenth`)
})

void t.test('seedFrom() gives 24 hexadecimal digits that the name fixes, and keeps names apart', async (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string(), fc.integer())),
      (name) => /^[0-9a-f]{24}$/.test(seedFrom(...name)) && seedFrom(...name) === seedFrom(...name)
    )
  )
  const names = [[], [''], ['', ''], ['a'], ['a', 'b'], ['ab'], ['a,b'], [1], ['1'], ['a', 1], ['a', '1']]
  t.equal(new Set(names.map((name) => seedFrom(...name))).size, names.length)
})

void t.test('freshSeed() gives other 24 hexadecimal digits each time', async (t) => {
  const seeds = Array.from({ length: 100 }, freshSeed)
  for (const seed of seeds) t.match(seed, /^[0-9a-f]{24}$/)
  t.equal(new Set(seeds).size, 100)
})

void t.test(
  'with a seed, all sandboxes of all runs get the same seed, and RequestIDs get another one in each run',
  async (t) => {
    const [first, second, other] = [seedSource(7, 1), seedSource(7, 2), seedSource(8, 1)]
    t.equal(first.ofSandbox(), second.ofSandbox())
    t.not(first.ofSandbox(), other.ofSandbox())
    const sandbox = first.ofSandbox()
    const seeds = [
      sandbox,
      first.ofRequests(sandbox),
      second.ofRequests(sandbox),
      first.ofRequests(),
      second.ofRequests(),
      other.ofRequests(),
      first.ofRequests(other.ofSandbox())
    ]
    t.equal(new Set(seeds).size, seeds.length, 'no stream is that of another')
    t.equal(first.ofRequests(sandbox), seedSource(7, 1).ofRequests(sandbox), 'the same run gives the same')
    t.equal(first.ofRequests(), seedSource(7, 1).ofRequests())
    t.strictSame(
      [sandbox, first.ofRequests(sandbox), first.ofRequests()],
      ['9e302f2d9c1c982c000e9622', 'cb0f0546b7279c18ca746473', '42244eb86176f38e74bfe741'],
      'for good'
    )
  }
)

void t.test('what a name gives is the same for good, and of other names another', async (t) => {
  t.equal(uuidFrom('role', 'org', 'admin'), '73efbbb4-e04a-456f-95f0-cdf352ad5f29')
  t.equal(randomFrom('role', 'org', 'admin').uuid(), uuidFrom('role', 'org', 'admin'))
  t.not(uuidFrom('role', 'org', 'member'), uuidFrom('role', 'org', 'admin'))
})

void t.test('a salt has 16 bytes, others each time', async (t) => {
  t.equal(freshSalt().length, 16)
  t.notSame(freshSalt(), freshSalt())
})

void t.test(
  'without a seed, nothing can be foreseen, and a sandbox still has other RequestIDs in each run',
  async (t) => {
    const source = seedSource(undefined, 1)
    t.not(source.ofSandbox(), source.ofSandbox())
    t.not(source.ofRequests(), source.ofRequests())
    t.not(source.ofRequests(SEED), seedSource(undefined, 2).ofRequests(SEED))
  }
)

/** What {@link drawsPast} says of one id, by making every draw that begins as the id does: slow, and plain. */
function plainDrawsUpTo({ seed, draws }: RandomState, id: string): number {
  const horizon = 64 * 65_536
  const first = ((Number.parseInt(id.slice(0, 4), 16) - Number.parseInt(seed.slice(0, 8), 16)) & 0xffff) * 64
  const from = first + Math.max(0, Math.ceil((draws + 1 - 63 - first) / horizon)) * horizon
  for (let draw = Math.max(from, draws + 1); draw < from + 64; draw++) {
    if (new Random({ seed, draws: draw - 1 }).uuid() === id) return draw
  }
  return draws
}

void t.test(
  'of many ids, in any order, none is given again, and no more is used up than by one after the other',
  async (t) => {
    const draw = fc.oneof(
      fc.integer({ min: 1, max: 300 }),
      fc.integer({ min: 64 * 65_536 - 200, max: 64 * 65_536 + 300 })
    )
    const some = fc.record({
      start: fc.oneof(fc.constant(0), draw),
      draws: fc.array(draw, { maxLength: 40 }),
      others: fc.array(fc.uuid(), { maxLength: 5 })
    })
    fc.assert(
      fc.property(some, ({ start, draws, others }) => {
        const state = { seed: SEED, draws: start }
        const ids = [...draws.map((at) => new Random({ seed: SEED, draws: at - 1 }).uuid()), ...others]
        let used = start
        // As often as it changes something: the order must not matter.
        for (let before = -1; before !== used;) {
          before = used
          for (const id of ids) used = plainDrawsUpTo({ seed: SEED, draws: used }, id)
        }
        const past = finish(drawsPast(state, ids))
        const random = new Random({ seed: SEED, draws: past })
        const given = new Set(Array.from({ length: 700 }, () => random.uuid()))
        return past === used && state.draws === start && !ids.some((id) => given.has(id))
      }),
      { numRuns: 200 }
    )
    t.equal(finish(drawsPast({ seed: SEED, draws: 12 }, [])), 12)
  }
)

void t.test(
  'an id of the stream is found if it is still to come, however far away; any other uses up nothing',
  async (t) => {
    const at = (draw: number) => new Random({ seed: SEED, draws: draw - 1 }).uuid()
    for (const [draws, id, used] of [
      [9, at(8), 9],
      [63, at(64 * 65_536 + 5), 64 * 65_536 + 5],
      [0, at(4_000_001), 4_000_001],
      [2 ** 40, at(2 ** 40 + 1), 2 ** 40 + 1],
      [7, '00000000-0000-4000-8000-000000000000', 7]
    ] as const)
      t.equal(finish(drawsPast({ seed: SEED, draws }, [id])), used)
  }
)
