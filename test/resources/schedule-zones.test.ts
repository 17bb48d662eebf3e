import t from 'tap'
import type { WorkspaceScheduleRecord } from '../../src/resources/schedules/fields.js'
import { nextOfCron, nextOfSchedule } from '../../src/resources/schedules/times.js'
import { nameOfZone, offsetThroughout } from '../../src/resources/schedules/zones.js'

const DAY = 86_400_000
const HOUR = 3_600_000

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

const next = (fields: Partial<WorkspaceScheduleRecord>, after: string) => {
  const time = nextOfSchedule(schedule(fields), Date.parse(after))
  return time === undefined ? undefined : new Date(time).toISOString()
}

void t.test('where clocks are put forward or back, a schedule fires as it does elsewhere', async (t) => {
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
})

void t.test('where clocks change on another day than in UTC, a schedule fires as it does elsewhere', async (t) => {
  const once = (date: string, time: string, timezone: string) =>
    next({ repeat: 'none', date, time, timezone }, '2010-01-01T00:00:00Z')
  t.equal(once('2026-04-05', '02:30', 'Pacific/Auckland'), '2026-04-04T13:30:00.000Z', 'a time that comes twice')
  t.equal(once('2021-03-27', '22:30', 'America/Godthab'), '2021-03-28T01:00:00.000Z', 'a time that is skipped')
  t.equal(
    next({ time: '04:30', timezone: 'Asia/Baku' }, '2015-10-25T00:10:00Z'),
    '2015-10-26T00:30:00.000Z',
    'a time that comes again on the next day in UTC'
  )
})

void t.test('a schedule fires at the ends of time, and where an offset has seconds', async (t) => {
  t.equal(next({}, '9999-12-29T12:00:00Z'), '9999-12-30T01:30:00.000Z')
  t.equal(next({ repeat: 'none', date: '9999-12-30' }, '2026-01-01T00:00:00Z'), '9999-12-30T01:30:00.000Z')
  t.equal(next({}, '9999-12-31T12:00:00Z'), undefined)
  t.equal(next({ repeat: 'none', date: '0000-06-01' }, '0001-01-01T12:00:00Z'), undefined)
  t.equal(next({ timezone: 'UTC' }, '0001-01-01T12:00:00Z'), '0001-01-02T02:30:00.000Z')
  t.equal(next({}, '1850-06-01T12:00:00Z'), '1850-06-02T01:36:32.000Z')
})

void t.test('an offset is told where it stays the same', async (t) => {
  const [summer, winter] = [Date.parse('2026-07-01T00:00:00Z'), Date.parse('2026-01-01T00:00:00Z')]
  t.equal(offsetThroughout('Europe/Berlin', summer, summer + 8 * DAY), 2 * HOUR)
  t.equal(offsetThroughout('America/St_Johns', winter, winter), -3.5 * HOUR)
  t.equal(offsetThroughout('UTC', winter, summer), 0)
  t.equal(offsetThroughout('Europe/Berlin', winter, summer), undefined)
  t.equal(offsetThroughout('Europe/Berlin', Date.parse('1850-06-01'), Date.parse('1850-06-02')), undefined)
})

void t.test('an offset that changes on the last day of a period is not told, one that changed before is', async (t) => {
  const [before, change, after] = ['2026-03-28', '2026-03-29', '2026-03-30'].map((day) => Date.parse(day)) as [
    number,
    number,
    number
  ]
  t.equal(offsetThroughout('Europe/Berlin', before, before + HOUR), HOUR)
  t.equal(offsetThroughout('Europe/Berlin', change, change + HOUR / 2), undefined)
  t.equal(offsetThroughout('Europe/Berlin', before, change + HOUR / 2), undefined)
  t.equal(offsetThroughout('Europe/Berlin', after, after + HOUR), 2 * HOUR)
})

void t.test('whatever many schedules ask for, few formats are made', async (t) => {
  const { DateTimeFormat } = Intl
  t.teardown(() => {
    Intl.DateTimeFormat = DateTimeFormat
  })
  const made = { count: 0, used: 0 }
  Intl.DateTimeFormat = new Proxy(DateTimeFormat, {
    construct: (target, args) => {
      made.count++
      const format = new target(...(args as []))
      return new Proxy(format, {
        get: (of, name) => {
          made.used++
          const value = Reflect.get(of, name, of) as unknown
          return typeof value === 'function' ? (value.bind(of) as unknown) : value
        }
      })
    }
  })
  const time = (i: number) => `${String(i % 24).padStart(2, '0')}:${String(i % 60).padStart(2, '0')}`
  for (let i = 0; i < 5000; i++)
    nextOfSchedule(schedule({ time: time(i), timezone: 'Asia/Tokyo' }), Date.parse('2026-01-01T00:00:00Z') + i * 17_000)
  // Other tests of this process may have asked for the zone before.
  t.ok(made.count <= 2, 'one for the name of the zone, and one for its offsets')
  t.ok(made.used <= 10, `${made.used} uses of them`)
})

void t.test('what is kept is bounded, and what is not kept any more is found again', async (t) => {
  const spellings = Array.from({ length: 1100 }, (_, i) =>
    'europe/berlin'
      .split('')
      .map((letter, place) => (i & (1 << place) ? letter.toUpperCase() : letter))
      .join('')
  )
  t.strictSame(new Set(spellings.map(nameOfZone)), new Set(['Europe/Berlin']))
  for (let pass = 0; pass < 2; pass++) {
    for (let day = 0; day < 150; day++) t.equal(offsetThroughout('Asia/Tokyo', day * DAY, day * DAY), 9 * HOUR)
    for (let minute = 0; minute < 120; minute++) {
      const line = `${minute % 60} ${Math.floor(minute / 60)} * * *`
      t.equal(nextOfCron(line, pass * DAY - 1), pass * DAY + minute * 60_000)
    }
  }
})
