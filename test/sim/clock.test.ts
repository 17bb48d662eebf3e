import fc from 'fast-check'
import t from 'tap'
import {
  addDuration,
  FIRST_TIME,
  isPlainTimestamp,
  LAST_TIME,
  machineTime,
  parseDuration,
  parseTimestamp,
  toTimestamp
} from '../../src/lib/time.js'
import { type ClockState, timeOf, WALL_CLOCK } from '../../src/sim/clock.js'

const time = (text: string) => {
  const result = parseTimestamp(text)
  if (result === undefined) throw new Error(`${text} is not a timestamp`)
  return result
}
const duration = (text: string) => {
  const result = parseDuration(text)
  if (result === undefined) throw new Error(`${text} is not a duration`)
  return result
}
const anyTime = fc.integer({ min: FIRST_TIME, max: LAST_TIME })

void t.test(
  'a timestamp is read with any offset and any number of decimals, finer ones than milliseconds cut off',
  async (t) => {
    for (const [text, utc] of [
      ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000Z'],
      ['2026-01-02t03:04:05z', '2026-01-02T03:04:05.000Z'],
      ['2026-01-02T03:04:05.6Z', '2026-01-02T03:04:05.600Z'],
      ['2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05.678Z'],
      ['2026-01-02T03:04:05.6789999Z', '2026-01-02T03:04:05.678Z'],
      ['2026-01-02T03:04:05+00:00', '2026-01-02T03:04:05.000Z'],
      ['2026-01-02T03:04:05-00:00', '2026-01-02T03:04:05.000Z'],
      ['2026-01-01T00:30:00+01:00', '2025-12-31T23:30:00.000Z'],
      ['2026-12-31T23:30:00-05:30', '2027-01-01T05:00:00.000Z'],
      ['2026-01-01T00:00:00+23:59', '2025-12-31T00:01:00.000Z'],
      ['2024-02-29T12:00:00Z', '2024-02-29T12:00:00.000Z'],
      ['2000-02-29T12:00:00Z', '2000-02-29T12:00:00.000Z'],
      ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
      ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z']
    ] as const)
      t.equal(toTimestamp(time(text)), utc, text)
  }
)

void t.test('what is not a timestamp of RFC 3339 with a year of four digits is refused', async (t) => {
  for (const text of [
    '',
    'now',
    '2026',
    '2026-01-02',
    '2026-01-02T03:04Z',
    '2026-01-02T03:04:05',
    '2026-01-02 03:04:05Z',
    ' 2026-01-02T03:04:05Z',
    '2026-01-02T03:04:05Z ',
    '2026-01-02T03:04:05.Z',
    '2026-01-02T03:04:05,5Z',
    '2026-1-2T03:04:05Z',
    '20260102T030405Z',
    '2026-01-02T03:04:05+0100',
    '2026-01-02T03:04:05+01',
    '+002026-01-02T03:04:05Z',
    '-000001-01-02T03:04:05Z',
    '12026-01-02T03:04:05Z',
    '2026-00-01T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-32T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2100-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2026-01-02T24:00:00Z',
    '2026-01-02T25:00:00Z',
    '2026-01-02T03:60:00Z',
    '2026-01-02T03:04:60Z',
    '2026-01-02T03:04:05+24:00',
    '2026-01-02T03:04:05-24:00',
    '2026-01-02T03:04:05+01:60',
    '2026-01-02T03:04:05+99:99',
    '0000-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59.999-00:01',
    '２026-01-02T03:04:05Z'
  ])
    t.equal(parseTimestamp(text), undefined, JSON.stringify(text))
})

void t.test('every time that can be written is read back, with every offset', async (t) => {
  const [digit, edges] = [
    fc.constantFrom('0', '1', '2', '9'),
    fc.constantFrom('00', '01', '12', '13', '23', '24', '28', '29', '31', '59', '60')
  ]
  const two = fc.oneof(
    edges,
    fc.tuple(digit, digit).map((digits) => digits.join(''))
  )
  const shaped = fc
    .tuple(two, two, two, two, two, two)
    .map(([year, month, day, hour, minute, second]) => `20${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`)
  fc.assert(fc.property(shaped, (text) => !isPlainTimestamp(text) || parseTimestamp(text) !== undefined))
  t.ok(isPlainTimestamp('2026-02-28T23:59:59.999Z'))
  fc.assert(fc.property(anyTime, (when) => parseTimestamp(toTimestamp(when)) === when))
  const pad = (n: number) => String(n).padStart(2, '0')
  fc.assert(
    fc.property(anyTime, fc.integer({ min: -1439, max: 1439 }), (when, minutes) => {
      const local = when + minutes * 60_000
      if (local < FIRST_TIME || local > LAST_TIME) return
      const away = Math.abs(minutes)
      const offset = `${minutes < 0 ? '-' : '+'}${pad(Math.floor(away / 60))}:${pad(away % 60)}`
      if (parseTimestamp(toTimestamp(local).replace('Z', offset)) !== when)
        throw new Error(`${toTimestamp(local)} ${offset}`)
    })
  )
  t.pass('for all times')
})

void t.test(
  'no text makes parseTimestamp() or parseDuration() throw, or give anything but a whole number in range',
  async (t) => {
    const digits = fc.stringMatching(
      /^\d{1,5}-\d{1,3}-\d{1,3}[Tt]\d{1,3}:\d{1,3}:\d{1,3}(\.\d{1,12})?([Zz]|[+-]\d{1,3}:\d{1,3})$/
    )
    fc.assert(
      fc.property(fc.oneof(fc.string(), digits), (text) => {
        const when = parseTimestamp(text)
        return when === undefined || (Number.isInteger(when) && when >= FIRST_TIME && when <= LAST_TIME)
      }),
      { numRuns: 1000 }
    )
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^P[\dYMWDTHS.,]{0,30}$/)), (text) => {
        const length = parseDuration(text)
        return (
          length === undefined || [length.months, length.milliseconds].every((n) => Number.isSafeInteger(n) && n >= 0)
        )
      }),
      { numRuns: 1000 }
    )
    t.pass('for all texts')
  }
)

void t.test('a duration of ISO 8601 counts months apart from what has a fixed length', async (t) => {
  const day = 86_400_000
  for (const [text, months, milliseconds] of [
    ['PT0S', 0, 0],
    ['P0D', 0, 0],
    ['PT1S', 0, 1000],
    ['PT0.001S', 0, 1],
    ['PT1.5S', 0, 1500],
    ['PT1,5S', 0, 1500],
    ['PT0.0004S', 0, 0],
    ['PT2M', 0, 120_000],
    ['PT3H', 0, 10_800_000],
    ['P1D', 0, day],
    ['P2W', 0, 14 * day],
    ['P12W', 0, 84 * day],
    ['P1M', 1, 0],
    ['P1Y', 12, 0],
    ['P1Y2M3W4DT5H6M7.008S', 14, 25 * day + 5 * 3_600_000 + 6 * 60_000 + 7008],
    ['PT36H', 0, 1.5 * day],
    ['P001D', 0, day]
  ] as const)
    t.strictSame(parseDuration(text), { months, milliseconds }, text)
})

void t.test('what is not a duration, or is too long to count, is refused', async (t) => {
  for (const text of [
    '',
    'P',
    'PT',
    'P1',
    'PT1',
    '1D',
    'PD',
    'P1DT',
    'P-1D',
    '-P1D',
    '+P1D',
    'p1d',
    'P1H',
    'PT1D',
    'P1D1M',
    'PT1S1M',
    'P1.5D',
    'PT1.5M',
    'PT.5S',
    'PT1.S',
    ' P1D',
    'P1D ',
    'P1D P1D',
    '5',
    'PT5s',
    'P99999999999999999D',
    'P999999999999999999999Y',
    'PT9007199254740992S'
  ])
    t.equal(parseDuration(text), undefined, JSON.stringify(text))
})

void t.test('months are added by the calendar: the day stays, or is the last one of a shorter month', async (t) => {
  for (const [from, by, to] of [
    ['2026-01-15T10:20:30.456Z', 'P1M', '2026-02-15T10:20:30.456Z'],
    ['2026-01-31T00:00:00Z', 'P1M', '2026-02-28T00:00:00.000Z'],
    ['2024-01-31T00:00:00Z', 'P1M', '2024-02-29T00:00:00.000Z'],
    ['2026-01-31T00:00:00Z', 'P2M', '2026-03-31T00:00:00.000Z'],
    ['2026-03-31T00:00:00Z', 'P1M', '2026-04-30T00:00:00.000Z'],
    ['2024-02-29T23:59:59.999Z', 'P1Y', '2025-02-28T23:59:59.999Z'],
    ['2024-02-29T00:00:00Z', 'P4Y', '2028-02-29T00:00:00.000Z'],
    ['2096-02-29T00:00:00Z', 'P4Y', '2100-02-28T00:00:00.000Z'],
    ['2026-12-31T00:00:00Z', 'P2M', '2027-02-28T00:00:00.000Z'],
    ['2026-11-30T00:00:00Z', 'P14M', '2028-01-30T00:00:00.000Z'],
    ['0000-01-31T00:00:00Z', 'P1M', '0000-02-29T00:00:00.000Z'],
    ['0099-12-31T00:00:00Z', 'P2M', '0100-02-28T00:00:00.000Z']
  ] as const)
    t.equal(toTimestamp(addDuration(time(from), duration(by))), to, `${from} + ${by}`)
})

void t.test('what has a fixed length is added after the months', async (t) => {
  t.equal(toTimestamp(addDuration(time('2026-01-31T00:00:00Z'), duration('P1M1D'))), '2026-03-01T00:00:00.000Z')
  t.equal(toTimestamp(addDuration(time('2024-01-31T23:00:00Z'), duration('P1MT2H'))), '2024-03-01T01:00:00.000Z')
  t.equal(toTimestamp(addDuration(time('2024-02-28T00:00:00Z'), duration('P1D'))), '2024-02-29T00:00:00.000Z')
  t.equal(toTimestamp(addDuration(time('2026-02-28T00:00:00Z'), duration('P1D'))), '2026-03-01T00:00:00.000Z')
})

void t.test('no duration leads past the last time there is', async (t) => {
  for (const by of [
    'PT0.001S',
    'P1D',
    'P1M',
    'P9999Y',
    'P10000Y',
    'P10001Y',
    'P100000000000Y',
    'P100000000D',
    'P1Y104249991D'
  ]) {
    t.equal(addDuration(LAST_TIME, duration(by)), LAST_TIME, by)
  }
  t.equal(addDuration(LAST_TIME - 1, duration('PT0.001S')), LAST_TIME)
  t.equal(addDuration(FIRST_TIME, duration('P9999Y')), time('9999-01-01T00:00:00Z'))
  t.equal(addDuration(FIRST_TIME, duration('P10000Y')), LAST_TIME)
})

void t.test(
  'adding a duration never goes back, keeps the order of times, and months keep the time of day',
  async (t) => {
    const anyDuration = fc.record({ months: fc.nat(200_000), milliseconds: fc.nat() })
    fc.assert(
      fc.property(anyTime, anyTime, anyDuration, (one, other, by) => {
        const [earlier, later] = [Math.min(one, other), Math.max(one, other)]
        return addDuration(earlier, by) >= earlier && addDuration(earlier, by) <= addDuration(later, by)
      })
    )
    fc.assert(
      fc.property(anyTime, fc.nat(120_000), (when, months) => {
        const [before, after] = [new Date(when), new Date(addDuration(when, { months, milliseconds: 0 }))]
        if (after.getTime() === LAST_TIME) return
        const monthsBetween =
          (after.getUTCFullYear() - before.getUTCFullYear()) * 12 + after.getUTCMonth() - before.getUTCMonth()
        if (monthsBetween !== months) throw new Error(`${monthsBetween} months, not ${months}`)
        if (toTimestamp(after.getTime()).slice(10) !== toTimestamp(when).slice(10))
          throw new Error('another time of day')
        const next = new Date(after.getTime() + 86_400_000)
        const isLastDay = next.getUTCDate() === 1
        if (after.getUTCDate() !== before.getUTCDate() && !(isLastDay && after.getUTCDate() < before.getUTCDate()))
          throw new Error('another day')
      })
    )
    t.pass('for all times and durations')
  }
)

void t.test('the clock of mode real goes with the wall at its rate; the others stand still', async (t) => {
  const clock: ClockState = { mode: 'real', base: 1000, anchor: 500, rate: 1 }
  t.equal(timeOf(clock, 500), 1000)
  t.equal(timeOf(clock, 750), 1250)
  t.equal(timeOf({ ...clock, rate: 60 }, 501), 1060)
  t.equal(timeOf({ ...clock, rate: 0.5 }, 503), 1001, 'whole milliseconds only')
  t.equal(timeOf(WALL_CLOCK, 123_456), 123_456)
  for (const mode of ['frozen', 'poll'] as const) t.equal(timeOf({ ...clock, mode, rate: 60 }, 99_999), 1000, mode)
})

void t.test('machine time goes on from the start of the process', async (t) => {
  const [before, time, after] = [performance.now(), machineTime(), performance.now()]
  t.ok(before <= time && time <= after)
})
