import fc from 'fast-check'
import t from 'tap'
import { freshSeed, Random, seedFrom, type RandomState } from '../../src/sim/random.js'
import { UUID } from '../helper.js'

const SEED = '0123456789abcdef01234567'
const take = (state: RandomState, count: number) => { const random = new Random(state); return Array.from({ length: count }, () => random.uuid()) }

void t.test('the same seed gives the same stream, another seed another one', async (t) => {
  t.strictSame(take({ seed: SEED, draws: 0 }, 5), take({ seed: SEED, draws: 0 }, 5))
  t.notSame(take({ seed: SEED, draws: 0 }, 5), take({ seed: SEED.replace('0', '1'), draws: 0 }, 5))
})

void t.test('a stream goes on where its state says, also beyond 32 bits of draws', async () => {
  fc.assert(fc.property(fc.maxSafeNat(), fc.nat(20), (draws, used) => {
    const start = Math.min(draws, Number.MAX_SAFE_INTEGER - 100)
    const state = { seed: SEED, draws: start }
    take(state, used)
    const whole = take({ seed: SEED, draws: start }, used + 3)
    return state.draws === start + used && take(state, 3).join() === whole.slice(used).join()
  }))
})

void t.test('ids are version 4 UUIDs, and none comes twice', async (t) => {
  const ids = take({ seed: SEED, draws: 0 }, 20_000)
  t.equal(new Set(ids).size, ids.length)
  t.strictSame(ids.filter((id) => !UUID.test(id)), [])
})

void t.test('fractions are in [0, 1) and evenly spread', async (t) => {
  const random = new Random({ seed: SEED, draws: 0 })
  const tenths = Array.from({ length: 10 }, () => 0)
  for (let draw = 0; draw < 10_000; draw++) tenths[Math.floor(random.fraction() * 10)]! += 1
  t.equal(tenths.length, 10, 'none is outside')
  for (const count of tenths) t.ok(count > 850 && count < 1150, `${count} of 10000 in a tenth`)
})

void t.test('a name always gives the same seed, and its parts do not run together', async (t) => {
  t.equal(seedFrom('a', 1), seedFrom('a', 1))
  t.equal(new Set([seedFrom('a', 1), seedFrom('a1'), seedFrom('a', '1'), seedFrom('a', 2)]).size, 4)
  for (const seed of [seedFrom('a'), freshSeed()]) t.match(seed, /^[0-9a-f]{24}$/)
  t.not(freshSeed(), freshSeed())
})
