import fc from 'fast-check'
import t from 'tap'
import {
  addDuration,
  FIRST_TIME,
  LAST_TIME,
  lengthOf,
  parseDuration,
  parseTimestamp,
  toIsoDuration,
  toTimestamp
} from '../../src/lib/time.js'

const two = (n: number) => String(n).padStart(2, '0')
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
  'a timestamp can have any offset and any number of decimals, which are truncated to milliseconds',
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

void t.test('only a timestamp of RFC 3339 with a four-digit year is accepted', async (t) => {
  const forms =
    'now 2026 2026-01-02 2026-01-02T03:04Z 2026-01-02T03:04:05 2026-01-02T03:04:05.Z 2026-01-02T03:04:05,5Z ' +
    '2026-1-2T03:04:05Z 20260102T030405Z 2026-01-02T03:04:05+0100 2026-01-02T03:04:05+01 +002026-01-02T03:04:05Z ' +
    '-000001-01-02T03:04:05Z 12026-01-02T03:04:05Z 2026-01-02T03:04:05+24:00 2026-01-02T03:04:05-24:00 ' +
    '2026-01-02T03:04:05+01:60 2026-01-02T03:04:05+99:99 0000-01-01T00:00:00+00:01 9999-12-31T23:59:59.999-00:01 ' +
    '２026-01-02T03:04:05Z 2026-01-01T00:00:00,000Z +010000-01-01T00:00:00.000Z 12026-01-01T00:00:00.000Z'
  const others = ['', '2026-01-02 03:04:05Z', 'the 1st of January, 2026', 'Thu, 01 Jan 2026 0:00:00']
  const blank = [
    ' 2026-01-02T03:04:05.000Z',
    '2026-01-02T03:04:05.000Z ',
    ' 2026-01-02T03:04:05Z',
    '2026-01-02T03:04:05Z '
  ]
  for (const text of [...forms.split(' '), ...others, ...blank])
    t.equal(parseTimestamp(text), undefined, JSON.stringify(text))
  t.equal(parseTimestamp('9999-12-31T23:59:59.999+00:00'), LAST_TIME, 'one as long as the server writes')
})

void t.test('days and times of day must exist', async (t) => {
  const isDay = (year: number, month: number, day: number) => {
    const date = new Date(Date.UTC(year, month - 1, day))
    return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  }
  const check = (text: string, isThere: boolean) => {
    for (const form of [`${text}.009Z`, `${text}Z`]) t.equal(parseTimestamp(form) !== undefined, isThere, form)
  }
  for (const year of [1900, 2000, 2024, 2026, 2100])
    for (let month = 0; month <= 13; month++)
      for (const day of [0, 1, 9, 10, 19, 20, 28, 29, 30, 31, 32])
        check(`${year}-${two(month)}-${two(day)}T00:00:00`, isDay(year, month, day))
  for (let hour = 0; hour < 26; hour++) check(`0999-01-01T${two(hour)}:00:00`, hour < 24)
  for (let n = 0; n < 62; n++)
    for (const time of [`00:${two(n)}:00`, `00:00:${two(n)}`]) check(`9999-01-01T${time}`, n < 60)
})

void t.test('every time can be read back, with every offset', async (t) => {
  fc.assert(fc.property(anyTime, (when) => parseTimestamp(toTimestamp(when)) === when))
  fc.assert(
    fc.property(anyTime, fc.integer({ min: -1439, max: 1439 }), (when, minutes) => {
      const local = when + minutes * 60_000
      if (local < FIRST_TIME || local > LAST_TIME) return
      const away = Math.abs(minutes)
      const offset = `${minutes < 0 ? '-' : '+'}${two(Math.floor(away / 60))}:${two(away % 60)}`
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

void t.test('a duration of ISO 8601 counts months separately', async (t) => {
  const day = 86_400_000
  for (const [text, months, milliseconds] of [
    ['PT0S', 0, 0],
    ['PT1S', 0, 1000],
    ['PT0.001S', 0, 1],
    ['PT1.5S', 0, 1500],
    ['PT1,5S', 0, 1500],
    ['PT0.0004S', 0, 0],
    ['PT2M', 0, 120_000],
    ['P1D', 0, day],
    ['P2W', 0, 14 * day],
    ['P1M', 1, 0],
    ['P1Y', 12, 0],
    ['P1Y2M3W4DT5H6M7.008S', 14, 25 * day + 5 * 3_600_000 + 6 * 60_000 + 7008],
    ['PT36H', 0, 1.5 * day]
  ] as const)
    t.strictSame(parseDuration(text), { months, milliseconds }, text)
})

const SHORT = [
  ['0s', 0, 'PT0S'],
  ['0d0ms', 0, 'PT0S'],
  ['1ms', 1, 'PT0.001S'],
  ['500ms', 500, 'PT0.5S'],
  ['1500ms', 1500, 'PT1.5S'],
  ['90s', 90_000, 'PT90S'],
  ['1s50ms', 1050, 'PT1.05S'],
  ['1m', 60_000, 'PT1M'],
  ['1m1ms', 60_001, 'PT1M0.001S'],
  ['90m', 5_400_000, 'PT90M'],
  ['1h30m', 5_400_000, 'PT1H30M'],
  ['036h', 129_600_000, 'PT36H'],
  ['7d', 604_800_000, 'P7D'],
  ['10d', 864_000_000, 'P10D'],
  ['1d2h3m4s5ms', 93_784_005, 'P1DT2H3M4.005S']
] as const

void t.test('a duration may be short, where m means minutes, and is shown in ISO 8601', async (t) => {
  for (const [text, milliseconds, iso] of SHORT) {
    t.strictSame(parseDuration(text), { months: 0, milliseconds }, text)
    t.equal(toIsoDuration(text), iso, text)
    t.strictSame(parseDuration(iso), { months: 0, milliseconds }, iso)
    t.equal(toIsoDuration(iso), iso, 'ISO 8601 is not changed')
  }
})

void t.test('invalid and excessive durations are refused', async (t) => {
  const iso =
    'P PT P1 PT1 1D PD P1DT P-1D -P1D +P1D p1d P1H PT1D P1D1M PT1S1M P1.5D PT1.5M PT.5S PT1.S 5 PT5s ' +
    'P99999999999999999D P999999999999999999999Y PT9007199254740992S'
  // Units descend, each at most once, without fractions and blanks.
  const short = 's 1 h1 1m1h 1ms1s 1s1s 1.5h 1,5s -1s +1s 1M 1H 1D 1S 1w 1y 1min P1d PT1h 1hT 9007199254740992ms'
  for (const text of [...iso.split(' '), ...short.split(' '), '', ' P1D', 'P1D ', 'P1D P1D', '1h 30m', ' 1s', '1s '])
    t.equal(parseDuration(text), undefined, JSON.stringify(text))
})

void t.test('months follow the calendar: the day stays, or becomes the last one of a shorter month', async (t) => {
  for (const [from, by, to] of [
    ['2026-01-15T10:20:30.456Z', 'P1M', '2026-02-15T10:20:30.456Z'],
    ['2026-01-31T00:00:00Z', 'P1M', '2026-02-28T00:00:00.000Z'],
    ['2024-01-31T00:00:00Z', 'P1M', '2024-02-29T00:00:00.000Z'],
    ['2026-03-31T00:00:00Z', 'P1M', '2026-04-30T00:00:00.000Z'],
    ['2024-02-29T23:59:59.999Z', 'P1Y', '2025-02-28T23:59:59.999Z'],
    ['2096-02-29T00:00:00Z', 'P4Y', '2100-02-28T00:00:00.000Z'],
    ['2026-12-31T00:00:00Z', 'P2M', '2027-02-28T00:00:00.000Z'],
    ['0000-01-31T00:00:00Z', 'P1M', '0000-02-29T00:00:00.000Z'],
    ['0099-12-31T00:00:00Z', 'P2M', '0100-02-28T00:00:00.000Z']
  ] as const)
    t.equal(toTimestamp(addDuration(time(from), duration(by))), to, `${from} + ${by}`)
})

void t.test('months are added before the fixed parts of a duration', async (t) => {
  t.equal(toTimestamp(addDuration(time('2026-01-31T00:00:00Z'), duration('P1M1D'))), '2026-03-01T00:00:00.000Z')
  t.equal(toTimestamp(addDuration(time('2024-01-31T23:00:00Z'), duration('P1MT2H'))), '2024-03-01T01:00:00.000Z')
  t.equal(toTimestamp(addDuration(time('2024-02-28T00:00:00Z'), duration('P1D'))), '2024-02-29T00:00:00.000Z')
  t.equal(toTimestamp(addDuration(time('2026-02-28T00:00:00Z'), duration('P1D'))), '2026-03-01T00:00:00.000Z')
  t.equal(lengthOf(duration('P2M1D')), 60 * 86_400_000, 'months alone have the length of those of 1970')
})

void t.test('no duration leads past the last time', async (t) => {
  for (const by of 'PT0.001S P1D P1M P9999Y P10000Y P10001Y P100000000000Y P100000000D P1Y104249991D'.split(' '))
    t.equal(addDuration(LAST_TIME, duration(by)), LAST_TIME, by)
  t.equal(addDuration(LAST_TIME - 1, duration('PT0.001S')), LAST_TIME)
  t.equal(addDuration(FIRST_TIME, duration('P9999Y')), time('9999-01-01T00:00:00Z'))
  t.equal(addDuration(FIRST_TIME, duration('P10000Y')), LAST_TIME)
})
