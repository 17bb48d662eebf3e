import t from 'tap'
import { atStep, linkTo, readRoute } from '../../src/console/model/route.js'
import { clockTime, dateTime, isTime, showIn, zoneAt } from '../../src/console/model/time.js'

void t.test('a link leads to the place that it was made from', async (t) => {
  for (const [view, part, of] of [
    ['overview', undefined, undefined],
    ['requests', 'a/b?c=#%', undefined],
    ['requests', undefined, 'x y&ä'],
    ['requests', 'r-1', 'w?of=1']
  ] as const)
    t.strictSame(readRoute(linkTo(view, part, of)), { view, part, of, step: undefined, from: undefined })
  t.equal(linkTo('requests', 'r', 'w'), '#/requests/r?of=w')
})

void t.test('a place can be at a step', async (t) => {
  const place = linkTo('requests', 'r-1', 'w&step=3')
  t.match(readRoute(atStep(place, 57)), { view: 'requests', part: 'r-1', of: 'w&step=3', step: 57 })
  t.equal(atStep(atStep(place, 57), 58), atStep(place, 58))
  t.equal(atStep(atStep(place, 57), undefined), place)
  t.equal(atStep('', 3), '#/overview?step=3')
  t.match(readRoute('#/differences?from=3&step=x'), { from: 3, step: undefined })
})

void t.test('any fragment is a place', async (t) => {
  const nowhere = { view: '', part: undefined, of: undefined, step: undefined, from: undefined }
  t.strictSame(readRoute(''), nowhere)
  t.strictSame(readRoute('#main'), nowhere)
  t.strictSame(readRoute('#/requests/%'), { ...nowhere, view: 'requests', part: '%' }, 'one that cannot be decoded')
})

void t.test('all times are in one time zone', async (t) => {
  const time = '2027-07-01T22:30:05.678Z'
  t.teardown(() => showIn('UTC'))
  t.equal(clockTime(time), '22:30:05.678')
  t.equal(zoneAt(time), 'UTC')
  t.equal(dateTime('0001-01-01T00:00:00.000Z'), '0001-01-01 00:00:00')
  t.equal(clockTime('0001-01-01T22:30:05.678Z'), '22:30:05.678')
  showIn('Europe/Berlin')
  t.equal(dateTime(time), '2027-07-02 00:30:05')
  showIn('America/New_York')
  t.equal(dateTime(Date.parse(time)), '2027-07-01 18:30:05')
  showIn('Asia/Kolkata')
  t.equal(zoneAt(time), 'GMT+5:30')
})

void t.test('stored times are recognized', async (t) => {
  t.equal(isTime('last_active', 1_798_761_600_000), true)
  t.equal(isTime('clock_base', 0), false, 'a clock that was never set')
  t.equal(isTime('size_bytes', 1_798_761_600_000), false)
  t.equal(isTime('created_at', '2027-01-01T00:00:00.000Z'), true)
  t.equal(isTime('name', '2027'), false)
  t.equal(isTime('name', null), false)
})
