import fc from 'fast-check'
import t from 'tap'
import { isPlainTimestamp, lengthOf, parseDuration, parseTimestamp, toDate, toIsoDuration } from '../../src/lib/time.js'

const two = (n: number) => String(n).padStart(2, '0')
const upTo = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => two(from + index))

void t.test("this server's own timestamps are recognized up to the 28th of a month", async (t) => {
  const texts = [
    ...upTo(1, 12).flatMap((month) => upTo(1, 28).map((day) => `2026-${month}-${day}T00:00:00.000Z`)),
    ...upTo(0, 23).map((hour) => `0999-01-01T${hour}:00:00.009Z`),
    ...upTo(0, 59).map((minute) => `9999-01-01T00:${minute}:${minute}.990Z`)
  ]
  t.strictSame(
    texts.filter((text) => !isPlainTimestamp(text)),
    []
  )
  for (const text of [
    '2026-01-01T00:00:00.000Z ',
    ' 2026-01-01T00:00:00.000Z',
    '12026-01-01T00:00:00.000Z',
    '2026-00-01T00:00:00.000Z',
    '2026-13-01T00:00:00.000Z',
    '2026-01-00T00:00:00.000Z',
    '2026-02-29T00:00:00.000Z',
    '2026-01-01T24:00:00.000Z',
    '2026-01-01T00:60:00.000Z',
    '2026-01-01T00:00:60.000Z',
    '2026-01-01T00:00:00Z'
  ])
    t.notOk(isPlainTimestamp(text), JSON.stringify(text))
})

void t.test('what is as long as a timestamp is not one for that', async (t) => {
  for (const text of [
    '2026-13-01T00:00:00.000Z',
    '2026-02-30T00:00:00.000Z',
    '2026-01-01T24:00:00.000Z',
    '2026-01-01T00:00:00,000Z',
    'the 1st of January, 2026',
    'Thu, 01 Jan 2026 0:00:00',
    '+010000-01-01T00:00:00.000Z'
  ])
    t.equal(parseTimestamp(text), undefined, text)
  t.equal(parseTimestamp('9999-12-31T23:59:59.999+00:00'), Date.parse('9999-12-31T23:59:59.999Z'))
  t.equal(parseTimestamp('2026-01-31T00:00:00.0Z'), Date.parse('2026-01-31T00:00:00.000Z'))
})

void t.test('a duration has a length, for which months are those of 1970', async (t) => {
  const day = 86_400_000
  for (const [text, length] of [
    ['PT0S', 0],
    ['PT1.5S', 1500],
    ['P1D', day],
    ['P1M', 31 * day],
    ['P2M', 59 * day],
    ['P1Y1D', 366 * day]
  ] as const)
    t.equal(lengthOf(parseDuration(text)!), length, text)
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
    t.equal(toIsoDuration(iso), iso, 'what is ISO 8601 stays as it is')
  }
  const units = fc.array(fc.option(fc.nat(100_000), { nil: undefined }), { minLength: 5, maxLength: 5 })
  fc.assert(
    fc.property(units, (counts) => {
      const text = ['d', 'h', 'm', 's', 'ms']
        .map((unit, index) => (counts[index] === undefined ? '' : `${counts[index]}${unit}`))
        .join('')
      if (text === '') return
      t.strictSame(parseDuration(toIsoDuration(text)), parseDuration(text))
    }),
    { numRuns: 200 }
  )
})

void t.test('the units of a short duration descend, each at most once, without fractions and blanks', async (t) => {
  for (const text of ['s', '1', 'h1', '1m1h', '1ms1s', '1s1s', '1.5h', '1,5s', '-1s', '+1s', '1h 30m', ' 1s', '1s '])
    t.equal(parseDuration(text), undefined, JSON.stringify(text))
  for (const text of ['1M', '1H', '1D', '1S', '1w', '1y', '1min', 'P1d', 'PT1h', '1hT', '9007199254740992ms'])
    t.equal(parseDuration(text), undefined, JSON.stringify(text))
})

void t.test('a date has the time that it is made of', async (t) => {
  t.equal(toDate(1_700_000_000_123).getTime(), 1_700_000_000_123)
})
