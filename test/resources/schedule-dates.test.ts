import fc from 'fast-check'
import t from 'tap'
import { hasNoDate } from '../../src/resources/schedules/dates.js'
import { cronProblems } from '../../src/resources/schedules/document.js'
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

void t.test('months may have names, ranges and steps, and days as well', async (t) => {
  for (const month of ['FEB', 'APR', 'JUN', 'SEP', 'NOV']) t.equal(hasNoDate(`0 0 31 ${month} *`), true, month)
  for (const month of ['JAN', 'MAR', 'MAY', 'JUL', 'AUG', 'OCT', 'DEC'])
    t.equal(hasNoDate(`0 0 31 ${month} *`), false, month)
  // Each step leads past the month with 31 days.
  for (const months of ['FEB-MAR/2', 'APR-MAY/2', 'JUN-JUL/2', 'JUN-AUG/3', 'SEP-OCT/2', 'NOV-DEC/2'])
    t.equal(hasNoDate(`0 0 31 ${months} *`), true, months)
  for (const line of [
    '0 0 31 2-6/2 *',
    '0 0 30 2-4/12 *',
    '0 0 31 11-11 *',
    '0 0 31 feb-feb *',
    '0 0 30/10 2 *',
    '0 0 30-31/1 2 *',
    '0 0 31/1 2 *'
  ])
    t.equal(hasNoDate(line), true, line)
  for (const line of ['0 0 31 2-3 *', '0 0 31 2-4/0 *', '0 0 31 APR-DEC/2,DEC *', '0 0 29/1 2 *'])
    t.equal(hasNoDate(line), false, line)
})

void t.test('a line that is not understood as a whole is left to others', async (t) => {
  for (const line of ['0 0 x31 2 *', '0 0 31x 2 *', '0 0 31 x2 *', '0 0 31 2x *', '0 0 99 x *', '0 0 31 2-4- *'])
    t.equal(hasNoDate(line), false, line)
})

void t.test(
  'of the lines that it takes a search to know of, ten are told, and each as often as it comes',
  async (t) => {
    const contradictory = (minute: number) => `${minute} 0 1-7 2 +1#5`
    const problemOf = cronProblems()
    for (let minute = 0; minute < 12; minute++) t.equal(problemOf(`${minute} 3 * * *`), undefined, 'it fires')
    for (let again = 0; again < 12; again++) t.equal(problemOf(contradictory(0)), NEVER_FIRES)
    for (let minute = 0; minute < 12; minute++)
      t.equal(problemOf(`${minute} 0 31 2 *`), NEVER_FIRES, 'without a search')
    for (let minute = 1; minute < 10; minute++) t.equal(problemOf(contradictory(minute)), NEVER_FIRES)
    t.equal(problemOf(contradictory(10)), undefined, 'the eleventh')
    t.equal(problemOf(contradictory(9)), NEVER_FIRES)
  }
)
