import t from 'tap'
import { isPlainTimestamp, lengthOf, parseDuration, parseTimestamp, toDate } from '../../src/lib/time.js'

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

void t.test('a date has the time that it is made of', async (t) => {
  t.equal(toDate(1_700_000_000_123).getTime(), 1_700_000_000_123)
})
