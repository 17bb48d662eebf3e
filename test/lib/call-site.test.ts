import t from 'tap'
import { bare, BareError, isBare } from '../../src/lib/call-site.js'
import { ListenError } from '../../src/lib/listen-error.js'

void t.test('a BareError has no frames, and other errors keep theirs', async (t) => {
  const { stackTraceLimit } = Error
  const cause = new Error('the cause')
  const error = new BareError('no room', { cause })
  t.match(error, { message: 'no room', cause })
  t.equal(Error.stackTraceLimit, stackTraceLimit)
  t.equal(isBare(error), true)
  t.equal(isBare(new ListenError('in use')), true)
  t.equal(new ListenError('in use').name, 'ListenError')

  const other = new RangeError('too far')
  t.equal(isBare(other), false)
  t.equal(bare(other), other)
  t.equal(other.stack, 'RangeError: too far')
  t.equal(isBare(other), true)
})
