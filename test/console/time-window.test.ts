import t from 'tap'
import { showIn } from '../../src/console/model/time.js'
import { extentOf, pan, ticksOf, windowOf, zoom } from '../../src/console/model/time-window.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const NOON = Date.parse('2027-01-01T12:00:00Z')
const spanOf = ({ begin, end }: { begin: number; end: number }) => end - begin

void t.test('the fitting window has everything that happened, with a margin, and at least a minute', async (t) => {
  const { begin, end } = windowOf('fit', { begin: NOON - HOUR, end: NOON }, NOON)
  t.ok(begin < NOON - HOUR && begin > NOON - 1.1 * HOUR)
  t.ok(end > NOON && end < NOON + 0.1 * HOUR)
  const empty = windowOf('fit', extentOf([], NOON), NOON)
  t.ok(spanOf(empty) >= MINUTE && empty.begin < NOON && empty.end > NOON)
})

void t.test('a span follows the clock, and a window stays', async (t) => {
  t.strictSame(windowOf(HOUR, extentOf([0], NOON), NOON), { begin: NOON - 42 * MINUTE, end: NOON + 18 * MINUTE })
  const view = { begin: 1, end: 2 }
  t.equal(windowOf(view, extentOf([], NOON), NOON), view)
})

void t.test('the extent contains all times, and now', async (t) => {
  t.strictSame(extentOf([NOON + 5, NOON - 5, NOON + 3], NOON), { begin: NOON - 5, end: NOON + 5 })
  t.strictSame(extentOf([], NOON), { begin: NOON, end: NOON })
})

void t.test('panning keeps the span, and zooming its fixed point', async (t) => {
  const view = { begin: NOON, end: NOON + HOUR }
  t.strictSame(pan(view, -1), { begin: NOON - HOUR, end: NOON })
  t.strictSame(zoom(view, 0.5), { begin: NOON + HOUR / 4, end: NOON + (3 * HOUR) / 4 })
  t.strictSame(zoom(view, 0.5, 0), { begin: NOON, end: NOON + HOUR / 2 })
})

void t.test('a window is neither too short nor too long', async (t) => {
  const view = { begin: NOON, end: NOON + HOUR }
  const spans = [1e-12, 1e12].map((factor) => spanOf(zoom(view, factor)))
  t.strictSame(spans, [1000, 100 * 365 * 24 * HOUR])
})

void t.test('an axis has ticks at round times, with distinct labels', async (t) => {
  const labels = (span: number) => ticksOf({ begin: NOON, end: NOON + span }, 6).map(({ label }) => label)
  const tenths = [0, 1, 2, 3, 4, 5].map((tenth) => `12:00:00.${tenth}00`)
  t.strictSame(labels(500), tenths)
  t.strictSame(labels(5000).slice(0, 2), ['12:00:00', '12:00:01'])
  t.strictSame(labels(5 * HOUR).slice(0, 2), ['12:00', '13:00'])
  t.strictSame(labels(18 * HOUR), ['12:00', '15:00', '18:00', '21:00', '01-02', '03:00', '06:00'])
  t.strictSame(labels(6 * 24 * HOUR).slice(0, 2), ['01-02', '01-03'])
  t.match(labels(365 * 24 * HOUR)[0], /^2027-\d\d$/)
  t.ok(labels(100 * 365 * 24 * HOUR).length <= 8, 'even for a century')
})

void t.test('a window at either end of all times has ticks, and cannot leave them', async (t) => {
  t.teardown(() => showIn('UTC'))
  for (const time of ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59Z'].map(Date.parse)) {
    const near = windowOf(HOUR, extentOf([time], time), time)
    const fit = windowOf('fit', extentOf([NOON, time], time), time)
    for (const view of [near, fit]) t.ok(view.begin <= time && view.end >= time)
    const far = pan(fit, time < NOON ? -1e6 : 1e6)
    t.ok(far.begin < time && far.end > time, 'all times stay in sight')
    t.equal(spanOf(far), spanOf(fit))
    for (const zone of ['UTC', 'America/New_York', 'Asia/Kolkata']) {
      showIn(zone)
      for (const view of [near, fit, far]) t.ok(ticksOf(view, 6).every(({ label }) => /\d{2}$/.test(label)))
    }
  }
})

void t.test('an axis has ticks at round times of the zone shown', async (t) => {
  showIn('Asia/Kathmandu')
  t.teardown(() => showIn('UTC'))
  const ticks = ticksOf({ begin: NOON, end: NOON + 5 * HOUR }, 6)
  const labels = ticks.map(({ label }) => label)
  t.strictSame(labels, ['18:00', '19:00', '20:00', '21:00', '22:00'])
  t.equal(new Date(ticks[0]!.at).toISOString(), '2027-01-01T12:15:00.000Z')
})
