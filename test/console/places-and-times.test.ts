import t from 'tap'
import { isTime, localClockTime, localDateTime, zoneName } from '../../src/console/model/local-time.js'
import { atStep, linkTo, readRoute } from '../../src/console/model/route.js'

void t.test('a link leads back to the place that it was made of', async (t) => {
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
  t.strictSame(readRoute('#/requests/%'), { ...nowhere, view: 'requests' }, 'one that nothing can decode')
})

void t.test('times are shown in a time zone', async (t) => {
  const time = '2027-07-01T22:30:05.678Z'
  t.equal(localDateTime(time, 'Europe/Berlin'), '2027-07-02 00:30:05')
  t.equal(localDateTime(Date.parse(time), 'America/New_York'), '2027-07-01 18:30:05')
  t.equal(localClockTime(time, 'UTC'), '22:30:05')
  t.equal(zoneName(time, 'UTC'), 'UTC')
  t.equal(zoneName(time, 'Asia/Kolkata'), 'GMT+5:30')
  t.equal(localDateTime(time), localDateTime(Date.parse(time)), "the reader's, if none is named")
})

void t.test('stored times are told from other values', async (t) => {
  t.equal(isTime('last_active', 1_798_761_600_000), true)
  t.equal(isTime('clock_base', 0), false, 'a clock that was never set')
  t.equal(isTime('size_bytes', 1_798_761_600_000), false)
  t.equal(isTime('created_at', '2027-01-01T00:00:00.000Z'), true)
  t.equal(isTime('name', '2027'), false)
  t.equal(isTime('name', null), false)
})
