import t from 'tap'
import { type ClockState, timeOf, WALL_CLOCK } from '../../src/sim/clock.js'

void t.test('a clock in mode real follows the wall clock at its rate; in other modes it stands still', async (t) => {
  const clock: ClockState = { mode: 'real', base: 1000, anchor: 500, rate: 1 }
  t.equal(timeOf(clock, 500), 1000)
  t.equal(timeOf(clock, 750), 1250)
  t.equal(timeOf({ ...clock, rate: 60 }, 501), 1060)
  t.equal(timeOf({ ...clock, rate: 0.5 }, 503), 1001, 'whole milliseconds only')
  t.equal(timeOf(WALL_CLOCK, 123_456), 123_456)
  for (const mode of ['frozen', 'poll'] as const) t.equal(timeOf({ ...clock, mode, rate: 60 }, 99_999), 1000, mode)
})
