import { getEventListeners, setMaxListeners } from 'node:events'
import type { Test } from 'tap'
import t from 'tap'
import { ServiceError } from '../../src/interface/errors.js'
import { wallTime } from '../../src/lib/time.js'
import { type ClockState, WALL_CLOCK } from '../../src/sim/clock.js'
import { PARTICIPANT_LIMIT, Sleepers } from '../../src/sim/sleepers.js'
import { holdConnection, until } from '../helper.js'

/** Sleepers by a clock that begins at 0. */
function open(t: Test, mode: ClockState['mode'] = 'frozen') {
  const state = { clock: { ...WALL_CLOCK, mode } as ClockState, now: 0, moves: [] as number[], fails: false }
  const sleepers: Sleepers = new Sleepers({
    read: () => ({ clock: state.clock, now: state.now }),
    move: async (to, _cause, stops) => {
      if (state.fails) throw new Error('no')
      if (stops) state.clock = { ...state.clock, mode: 'frozen' }
      set(to)
      state.moves.push(to)
    },
    run: async () => {
      state.clock = { ...state.clock, mode: 'real' }
    }
  })
  const set = (now: number) => {
    state.now = now
    state.clock = { ...state.clock, base: now }
    sleepers.look()
  }
  holdConnection(t)
  t.teardown(() => sleepers.end())
  const line = new AbortController()
  const log: string[] = []
  const sleep = (name: string, to: number, signal = line.signal) =>
    sleepers.sleep(name, to, signal, 'cause').then(
      () => log.push(`${name} ${state.now}`),
      () => log.push(`${name} failed`)
    )
  return { state, sleepers, set, sleep, log, line }
}

const turns = async (count = 20) => {
  for (let i = 0; i < count; i++) await new Promise(setImmediate)
}

const HOUR = 3_600_000

void t.test('a clock with patience runs unless all participants sleep', async (t) => {
  const { state, sleepers, sleep, line } = open(t)
  sleepers.setPatience(2 ** 31)
  await new Promise((resolve) => setTimeout(resolve, 5))
  t.equal(state.clock.mode, 'frozen', 'it is longer than a timer can be')
  sleepers.setPatience(20)
  await until(() => state.clock.mode === 'real')
  const alone = new AbortController()
  await sleep('a', HOUR, alone.signal)
  t.equal(state.clock.mode, 'frozen')
  void sleep('b', Infinity)
  alone.abort()
  await new Promise((resolve) => setTimeout(resolve, 40))
  t.equal(state.clock.mode, 'frozen', 'one participant is left')
  line.abort()
  await until(() => state.clock.mode === 'real')
  const awake = new AbortController()
  void sleep('c', 2 * HOUR, awake.signal)
  await until(() => state.now === 2 * HOUR && state.clock.mode === 'real')
  void sleep('d', 3 * HOUR, new AbortController().signal)
  awake.abort()
  await until(() => state.now === 3 * HOUR)
  await until(() => state.clock.mode === 'real')
  state.clock = { ...state.clock, mode: 'frozen' }
  sleepers.look()
  await until(() => state.clock.mode === 'real')
  sleepers.setPatience(undefined)
  state.clock = WALL_CLOCK
  void sleep('d', 4 * HOUR, new AbortController().signal)
  await turns()
  t.equal(state.clock.mode, 'real', 'without patience, the mode stays')
})

void t.test('participants due at the same moment wake in the order in which they fell asleep', async (t) => {
  const { sleepers, sleep, log } = open(t)
  sleepers.beginRequest()
  for (const name of ['c', 'a', 'b']) void sleep(name, HOUR)
  sleepers.endRequest()
  await until(() => log.length === 3)
  t.strictSame(log, [`c ${HOUR}`, `a ${HOUR}`, `b ${HOUR}`])
})

void t.test('no time passes while a request is under way, or if one arrives just in time', async (t) => {
  const { state, sleepers, sleep, log } = open(t)
  sleepers.beginRequest()
  void sleep('a', HOUR)
  await turns()
  t.strictSame(state.moves, [])
  sleepers.endRequest()
  await turns(1)
  sleepers.beginRequest()
  await turns()
  t.strictSame(state.moves, [])
  sleepers.endRequest()
  await until(() => log.length > 0)
})

void t.test('a participant that disconnects is forgotten, asleep or awake', async (t) => {
  const { sleepers, sleep, log, state } = open(t)
  const [other, last] = [new AbortController(), new AbortController()]
  await sleep('awake', 0, other.signal)
  await sleep('moved', 0, other.signal)
  await sleep('moved', 0, last.signal)
  void sleep('asleep', 2 * HOUR, last.signal)
  void sleep('a', HOUR)
  t.equal(sleepers.size, 4)
  other.abort()
  t.equal(sleepers.size, 3, 'the connection of the last call counts')
  await turns()
  t.strictSame(state.moves, [])
  last.abort()
  t.equal(sleepers.size, 1)
  await until(() => log.includes(`a ${HOUR}`))
  t.ok(log.includes('asleep failed'))
  await sleep('late', HOUR, last.signal)
  t.ok(log.includes('late failed'), 'a call on a closed connection adds none')
  t.equal(sleepers.size, 1)
})

void t.test('setting the clock wakes the participants that are due', async (t) => {
  const { sleepers, sleep, set, log } = open(t)
  sleepers.beginRequest()
  void sleep('a', HOUR)
  void sleep('b', 2 * HOUR)
  set(HOUR)
  await turns()
  t.strictSame(log, [`a ${HOUR}`])
})

void t.test("if a participant stays awake, time passes by the machine's clock", async (t) => {
  const { sleep, log } = open(t)
  await sleep('awake', 0)
  await sleep('a', 5)
  t.strictSame(log, ['awake 0', 'a 5'])
})

void t.test('on a running clock, the moment comes by itself, at any rate', async (t) => {
  const { state, sleepers, sleep, log } = open(t, 'real')
  const begin = wallTime()
  state.clock = { ...WALL_CLOCK, rate: 1 }
  void sleep('a', HOUR)
  await turns()
  t.strictSame(log, [])
  // From now on, an hour is over in a few milliseconds.
  state.clock = { ...WALL_CLOCK, rate: 1_000_000 }
  sleepers.look()
  Object.defineProperty(state, 'now', { get: () => (wallTime() - begin) * 1_000_000, configurable: true })
  await until(() => log.length > 0)
  t.strictSame(state.moves, [])
})

void t.test('if the clock cannot move, the wait fails', async (t) => {
  const { state, sleep, log } = open(t)
  state.fails = true
  await sleep('a', HOUR)
  t.strictSame(log, ['a failed'])
})

void t.test('the number of participants is limited', async (t) => {
  const { sleepers, line } = open(t)
  // As on a connection of the server.
  setMaxListeners(0, line.signal)
  sleepers.beginRequest()
  for (let i = 0; i < PARTICIPANT_LIMIT; i++) sleepers.sleep(`p${i}`, HOUR + i, line.signal, 'x').catch(() => undefined)
  await t.rejects(sleepers.sleep('one more', HOUR, line.signal, 'x'), ServiceError)
})

void t.test('a participant that alternates between connections leaves no listener behind on any', async (t) => {
  const { sleepers, sleep, log } = open(t)
  const lines = [new AbortController(), new AbortController()]
  for (let i = 0; i < 10; i++) await sleep('a', 0, lines[i % 2]!.signal)
  const listeners = lines.map(({ signal }) => getEventListeners(signal, 'abort').length)
  t.strictSame(listeners, [0, 1])
  lines[0]!.abort()
  t.equal(sleepers.size, 1, 'only the connection of the last call counts')
  lines[1]!.abort()
  t.equal(sleepers.size, 0)
  t.equal(log.length, 10)
})
