import fc from 'fast-check'
import t from 'tap'
import type { WorkspaceScheduleRecord } from '../../src/resources/schedules/fields.js'
import { nextOfCron, nextOfSchedule } from '../../src/resources/schedules/times.js'
import { START } from '../sandbox.js'

const DAY = 86_400_000

const schedule = (fields: Partial<WorkspaceScheduleRecord>): WorkspaceScheduleRecord => ({
  workspace: 'w',
  id: 'a',
  repeat: 'daily',
  repeatOn: null,
  date: null,
  time: '02:30',
  timezone: 'Europe/Berlin',
  workspaceTypeName: null,
  ...fields
})

const iso = (time: number | undefined) => (time === undefined ? undefined : new Date(time).toISOString())
const next = (fields: Partial<WorkspaceScheduleRecord>, after: string) =>
  iso(nextOfSchedule(schedule(fields), Date.parse(after)))

void t.test('a schedule fires once a day when clocks go forward or back', async (t) => {
  t.equal(next({}, '2026-03-27T12:00:00Z'), '2026-03-28T01:30:00.000Z')
  t.equal(next({}, '2026-03-28T12:00:00Z'), '2026-03-29T01:00:00.000Z', 'a time that is skipped')
  t.equal(next({}, '2026-10-24T12:00:00Z'), '2026-10-25T00:30:00.000Z', 'a time that comes twice')
  t.equal(next({}, '2026-10-25T00:30:00Z'), '2026-10-26T01:30:00.000Z')
  t.equal(next({ repeat: 'weekly', repeatOn: 'Tue,Fri' }, '2026-03-27T12:00:00Z'), '2026-03-31T00:30:00.000Z')
  t.equal(next({ repeat: 'weekdays' }, '2026-07-03T12:00:00Z'), '2026-07-06T00:30:00.000Z')
  t.equal(next({ repeat: 'weekdays' }, '2026-03-27T12:00:00Z'), '2026-03-30T00:30:00.000Z')
  t.equal(next({ repeat: 'none', date: '2026-03-29' }, '2026-01-01T00:00:00Z'), '2026-03-29T01:00:00.000Z')
  t.equal(next({ repeat: 'none', date: '2026-07-01' }, '2026-01-01T00:00:00Z'), '2026-07-01T00:30:00.000Z')
  t.equal(next({ repeat: 'none', date: '2026-07-01' }, '2026-07-01T00:30:00Z'), undefined)
  for (const [timezone, time, ...fired] of [
    ['America/New_York', '02:30', '2026-03-07T07:30:00.000Z', '2026-03-08T07:00:00.000Z', '2026-03-09T06:30:00.000Z'],
    ['America/Nuuk', '23:30', '2026-03-28T01:30:00.000Z', '2026-03-29T01:00:00.000Z', '2026-03-30T00:30:00.000Z'],
    ['America/New_York', '01:30', '2026-10-31T05:30:00.000Z', '2026-11-01T05:30:00.000Z', '2026-11-02T06:30:00.000Z'],
    ['Australia/Sydney', '02:30', '2026-10-02T16:30:00.000Z', '2026-10-03T16:00:00.000Z', '2026-10-04T15:30:00.000Z'],
    ['Australia/Sydney', '02:30', '2026-04-03T15:30:00.000Z', '2026-04-04T15:30:00.000Z', '2026-04-05T16:30:00.000Z']
  ] as const)
    for (const [index, at] of fired.slice(0, -1).entries()) t.equal(next({ timezone, time }, at), fired[index + 1])
})

void t.test('a schedule fires once a day when clocks change on another day than in UTC', async (t) => {
  const once = (date: string, time: string, timezone: string) =>
    next({ repeat: 'none', date, time, timezone }, '2010-01-01T00:00:00Z')
  t.equal(once('2026-04-05', '02:30', 'Pacific/Auckland'), '2026-04-04T13:30:00.000Z', 'a time that comes twice')
  t.equal(once('2021-03-27', '22:30', 'America/Godthab'), '2021-03-28T01:00:00.000Z', 'a time that is skipped')
  const inBaku = next({ time: '04:30', timezone: 'Asia/Baku' }, '2015-10-25T00:10:00Z')
  t.equal(inBaku, '2015-10-26T00:30:00.000Z', 'a time that is repeated on the next day in UTC')
})

void t.test('a schedule may be near the first and last times, and in a zone whose offset has seconds', async (t) => {
  t.equal(next({ repeat: 'none', date: '9999-12-30' }, '2026-01-01T00:00:00Z'), '9999-12-30T01:30:00.000Z')
  t.equal(next({}, '9999-12-31T12:00:00Z'), undefined)
  t.equal(next({ repeat: 'none', date: '0000-06-01' }, '0001-01-01T12:00:00Z'), undefined)
  t.equal(next({ timezone: 'UTC' }, '0001-01-01T12:00:00Z'), '0001-01-02T02:30:00.000Z')
  t.equal(next({}, '1850-06-01T12:00:00Z'), '1850-06-02T01:36:32.000Z')
})

// ---------------------------------------------------------------------------------------------------------------------
// Times

void t.test('the next firing is strictly later than the given time', async (t) => {
  const noon = Date.parse('2026-01-01T12:00:00.000Z')
  for (const [after, next] of [
    [-1, 0],
    [-60_001, 0],
    [0, DAY],
    [1, DAY],
    [999, DAY],
    [DAY - 1, DAY]
  ] as const) {
    t.equal(iso(nextOfSchedule(schedule({ time: '12:00', timezone: 'UTC' }), noon + after)), iso(noon + next))
    t.equal(iso(nextOfCron('0 12 * * *', noon + after)), iso(noon + next))
  }
})

void t.test('a cron line is in UTC in any time zone of the machine', async (t) => {
  const zone = process.env['TZ']
  t.teardown(() => {
    if (zone === undefined) delete process.env['TZ']
    else process.env['TZ'] = zone
  })
  process.env['TZ'] = 'America/New_York'
  t.equal(iso(nextOfCron('0 12 * * *', START)), '2026-01-01T12:00:00.000Z')
})

void t.test('a cron line with a day of the month and a weekday fires on either', async (t) => {
  let time = START
  const fired = Array.from({ length: 4 }, () => (time = nextOfCron('0 0 13 * 1', time)!))
  const dates = fired.map((at) => iso(at)!.slice(0, 10))
  t.strictSame(dates, ['2026-01-05', '2026-01-12', '2026-01-13', '2026-01-19'])
})

void t.test('a cron line for the 29th of February fires in leap years, and one for the 30th never', async (t) => {
  t.equal(iso(nextOfCron('0 0 29 2 *', START)), '2028-02-29T00:00:00.000Z')
  t.equal(nextOfCron('0 0 30 2 *', START), undefined)
  t.equal(iso(nextOfCron('0 0 29 2 *', Date.parse('2999-12-31T00:00:00Z'))), '3004-02-29T00:00:00.000Z')
  t.equal(nextOfCron('0 0 29 2 *', Date.parse('9999-01-01T00:00:00Z')), undefined)
})

void t.test('a one-off fires only on its date in its own zone', async (t) => {
  const after = Date.parse('2026-01-01T00:00:00.000Z')
  const once = (date: string, timezone: string, from = after) =>
    iso(nextOfSchedule(schedule({ repeat: 'none', time: '12:00', date, timezone }), from))
  t.equal(once('2028-02-29', 'UTC'), '2028-02-29T12:00:00.000Z')
  t.equal(once('2027-06-01', 'Pacific/Kiritimati'), '2027-05-31T22:00:00.000Z')
  t.equal(once('2027-06-01', 'Pacific/Pago_Pago'), '2027-06-01T23:00:00.000Z')
  t.equal(once('2025-12-31', 'UTC'), undefined)
  t.equal(once('2026-01-01', 'Asia/Tokyo', Date.parse('2026-01-01T03:00:00.000Z')), undefined)
})

// Zones with and without daylight saving, in the north and the south, and with offsets in minutes.
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Sydney',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'America/Sao_Paulo',
  'Pacific/Auckland'
]
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const
const formats = new Map(
  ZONES.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hourCycle: 'h23',
      weekday: 'short',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit'
    })
  ])
)
/** A time as clocks and calendars in a zone show it. */
const local = (time: number, timezone: string) => {
  const parts = Object.fromEntries(
    formats
      .get(timezone)!
      .formatToParts(time)
      .map(({ type, value }) => [type, value])
  )
  return {
    day: parts['weekday']!,
    date: `${parts['year']}-${parts['month']}-${parts['day']}`,
    time: `${parts['hour']}:${parts['minute']}`
  }
}
/** Whether a time is the first after a jump of the local clocks over another local time. */
const endsGapOver = (time: number, timezone: string, wanted: string) => {
  const [before, at] = [local(time - 60_000, timezone), local(time, timezone)]
  return before.date === at.date && before.time < wanted && wanted < at.time
}
const minutes = fc.integer({ min: Date.parse('2020-01-01'), max: Date.parse('2036-01-01') })
const clock = fc
  .tuple(fc.nat(23), fc.nat(59))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'))

void t.test(
  'the next firing is after the given time, on a day of the schedule, at its local time unless that is skipped',
  async () => {
    const repeats = fc.oneof(
      fc.record({ repeat: fc.constant('daily' as const), days: fc.constant([...WEEKDAYS]) }),
      fc.record({ repeat: fc.constant('weekdays' as const), days: fc.constant(WEEKDAYS.slice(0, 5)) }),
      fc.record({
        repeat: fc.constant('weekly' as const),
        days: fc.uniqueArray(fc.constantFrom(...WEEKDAYS), { minLength: 1 })
      })
    )
    fc.assert(
      fc.property(minutes, clock, fc.constantFrom(...ZONES), repeats, (after, time, timezone, { repeat, days }) => {
        const next = nextOfSchedule(
          schedule({ repeat, time, timezone, repeatOn: repeat === 'weekly' ? days.join(',') : null }),
          after
        )!
        const at = local(next, timezone)
        return (
          next > after &&
          next <= after + 8 * DAY &&
          (days as string[]).includes(at.day) &&
          (at.time === time || endsGapOver(next, timezone, time))
        )
      }),
      { numRuns: 300 }
    )
  }
)
