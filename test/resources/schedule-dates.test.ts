import fc from 'fast-check'
import t from 'tap'
import { hasNoDate } from '../../src/resources/schedules/dates.js'
import { cronProblems } from '../../src/resources/schedules/document.js'
import { cronProblem, NEVER_FIRES, nextOfCron } from '../../src/resources/schedules/times.js'
import { reasonOf } from '../messages.js'

const NOW = Date.parse('2026-01-01T00:00:00Z')

/** Cron lines that match no date, and some, and lines that hasNoDate() does not understand. */
const LINES = {
  none: [
    '0 0 31 2,4,6,9,11 *',
    '0 0 30-31 feb ?',
    '0 0 31 4-4 *',
    '0 0 31 APR,Jun,Sep,NOV *',
    '5 4 31W 2 *',
    '0 0 31 2 +1',
    '  0 0  31 6   * ',
    // Each step leads past the months with 31 days.
    ...['FEB-MAR/2', 'APR-MAY/2', 'JUN-JUL/2', 'JUN-AUG/3', 'SEP-OCT/2', 'NOV-DEC/2'].map((m) => `0 0 31 ${m} *`),
    '0 0 30 2-4/12 *',
    '0 0 30-31/1 2 *'
  ],
  some: [
    '0 0 31 * *',
    '0 0 29 2 *',
    ...['JAN', 'MAR', 'MAY', 'JUL', 'AUG', 'OCT', 'DEC', '1-2', 'APR-DEC/2,DEC'].map((m) => `0 0 31 ${m} *`),
    '0 0 30,31 2-6/2 *',
    '0 0 31 2 1',
    '0 0 L 2 *',
    '0 0 1 1 +1'
  ],
  notUnderstood: [
    '',
    ...['x', 'x31', '31x'].map((day) => `0 0 ${day} 2 *`),
    ...['x', '2-x', '2x', 'x2', '2-4-', '13', '0', '4-2', '2-4/0'].map((month) => `0 0 31 ${month} *`)
  ]
}

void t.test('lines whose days are in none of their months are found without a search', async (t) => {
  for (const line of LINES.none) {
    t.equal(hasNoDate(line), true, line)
    t.equal(cronProblem(line, NOW), NEVER_FIRES, line)
  }
  for (const line of LINES.some) {
    t.equal(hasNoDate(line), false, line)
    t.equal(cronProblem(line, NOW), undefined, line)
  }
  for (const line of LINES.notUnderstood) t.equal(hasNoDate(line), false, line)
  t.equal(hasNoDate('0 0 30/10 2 *'), true)
  t.equal(hasNoDate('0 0 29/1 2 *'), false)
  t.match(cronProblem('99 0 31 2 *', NOW), reasonOf('cron'), 'other errors are reported first')
})

void t.test('a line without a date never fires', async () => {
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

void t.test('at most ten lines are searched for, and each result is remembered', async (t) => {
  const contradictory = (minute: number) => `${minute} 0 1-7 2 +1#5`
  const problemOf = cronProblems()
  for (let minute = 0; minute < 12; minute++) t.equal(problemOf(`${minute} 3 * * *`), undefined, 'it fires')
  for (let again = 0; again < 12; again++) t.equal(problemOf(contradictory(0)), NEVER_FIRES)
  for (let minute = 0; minute < 12; minute++) t.equal(problemOf(`${minute} 0 31 2 *`), NEVER_FIRES, 'without a search')
  for (let minute = 1; minute < 10; minute++) t.equal(problemOf(contradictory(minute)), NEVER_FIRES)
  t.equal(problemOf(contradictory(10)), undefined, 'the eleventh')
  t.equal(problemOf(contradictory(9)), NEVER_FIRES)
})
