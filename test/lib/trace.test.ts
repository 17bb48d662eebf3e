import t from 'tap'
import { traceIdOf } from '../../src/lib/trace.js'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'

void t.test('the trace-id of a valid header is read, even in a later version', async (t) => {
  for (const header of [
    `00-${TRACE}-${PARENT}-01`,
    `01-${TRACE}-${PARENT}-00`,
    `cc-${TRACE}-${PARENT}-01-what-the-future-brings`,
    `cc-${TRACE}-${PARENT}-01-`
  ])
    t.equal(traceIdOf(header), TRACE, header)
})

void t.test('an invalid header is ignored, as the specification says', async (t) => {
  for (const header of [
    '',
    `00-${TRACE}-${PARENT}`,
    `00-${TRACE}-${PARENT}-01-`,
    `cc-${TRACE}-${PARENT}-01.more`,
    `ff-${TRACE}-${PARENT}-01`,
    `00-${TRACE.toUpperCase()}-${PARENT}-01`,
    `00-${TRACE.slice(1)}-${PARENT}-01`,
    `00-${TRACE}-${PARENT.slice(1)}-01`,
    `00-${'0'.repeat(32)}-${PARENT}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    // Node joins repeated headers.
    `00-${TRACE}-${PARENT}-01, 00-${TRACE}-${PARENT}-01`
  ])
    t.equal(traceIdOf(header), undefined, header)
})
