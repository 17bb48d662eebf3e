import fc from 'fast-check'
import t from 'tap'
import { hasNoDate } from '../../src/resources/schedules/dates.js'
import { cronProblem, NEVER_FIRES, nextOfCron } from '../../src/resources/schedules/times.js'
import { reasonOf } from '../messages.js'

const NOW = Date.parse('2026-01-01T00:00:00Z')

void t.test('days that are in none of the months are known without a search', async (t) => {
  const never = [
    '0 0 31 2,4,6,9,11 *',
    '0 0 30 2 *',
    '0 0 30-31 feb ?',
    '0 0 31 4-4 *',
    '0 0 31 APR,Jun *',
    '5 4 31W 2 *',
    '0 0 31 2 +1',
    '  0 0  31 6   * '
  ]
  for (const line of never) {
    t.equal(hasNoDate(line), true, line)
    t.equal(cronProblem(line, NOW), NEVER_FIRES, line)
  }
  for (const line of [
    '0 0 31 * *',
    '0 0 29 2 *',
    '0 0 31 1-2 *',
    '0 0 30,31 2-6/2 *',
    '0 0 31 2 1',
    '0 0 L 2 *',
    '0 0 * 2 *',
    '0 0 1 1 +1'
  ]) {
    t.equal(hasNoDate(line), false, line)
    t.equal(cronProblem(line, NOW), undefined, line)
  }
  t.match(cronProblem('99 0 31 2 *', NOW), reasonOf('cron'), 'what else is wrong is told first')
  for (const line of ['', '0 0 x 2 *', '0 0 31 x *', '0 0 31 2-x *', '0 0 31 13 *', '0 0 31 0 *', '0 0 31 4-2 *'])
    t.equal(hasNoDate(line), false, line)
})

void t.test('whatever is said to have no date never fires', async () => {
  const days = fc.array(fc.integer({ min: 27, max: 31 }), { minLength: 1, maxLength: 3 })
  const months = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(days, months, (day, month) => {
      const line = `0 0 ${day.join(',')} ${month.join(',')} *`
      return hasNoDate(line) === (nextOfCron(line, NOW) === undefined)
    }),
    { numRuns: 150 }
  )
})
