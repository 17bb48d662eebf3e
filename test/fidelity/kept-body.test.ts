import { PassThrough } from 'node:stream'
import t from 'tap'
import { keepBody } from '../../src/fidelity/proxy/kept-body.js'

void t.test('a body takes room until it is released, and none afterwards', async (t) => {
  const room = { left: 10 }
  const follow = () => {
    const [body, stream] = [keepBody(100, room), new PassThrough()]
    body.follow(stream)
    return { body, pass: (size: number) => stream.emit('data', Buffer.alloc(size)) }
  }
  const first = follow()
  first.pass(6)
  t.equal(room.left, 4)
  t.match(first.body.take(), { size: 6, reason: undefined })
  t.equal(room.left, 4, 'it is not written yet')
  first.body.release()
  t.equal(room.left, 10)
  first.pass(4)
  t.equal(room.left, 10, 'the upload goes on')
  const second = follow()
  second.pass(11)
  t.match(second.body.take(), { size: 11, bytes: undefined, reason: 'too many bodies were in flight' })
})
