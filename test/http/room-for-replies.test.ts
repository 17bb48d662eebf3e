import { EventEmitter } from 'node:events'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import t from 'tap'
import { boundUnreadReplies } from '../../src/http/hooks/bound-unread-replies.js'
import { ServiceError } from '../../src/interface/errors.js'

/** The largest reply that always leaves. */
const SMALL = 64 * 1024

/** The hook of a server with room for this many bytes. The result passes it a reply, and collects the outcome. */
function open(bytes: number) {
  const hook = boundUnreadReplies({ server: new EventEmitter() } as unknown as FastifyInstance, { bytes })
  return (payload: unknown, method = 'GET', isClosed = false) => {
    const raw = Object.assign(new EventEmitter(), { destroyed: isClosed })
    const outcomes: unknown[] = []
    hook({ method } as FastifyRequest, { raw } as unknown as FastifyReply, payload, (error) => {
      outcomes.push(error instanceof ServiceError ? error.status : 'leaves')
    })
    return { raw, outcomes }
  }
}

const text = (length: number) => 'x'.repeat(length)
const LEAVES = ['leaves']
const WAITS: unknown[] = []

void t.test('a reply of 64 KiB leaves at once, and a larger one waits for others', async (t) => {
  const send = open(100_000)
  const first = send(text(SMALL + 1))
  t.strictSame(first.outcomes, LEAVES)
  t.strictSame(send(text(SMALL)).outcomes, LEAVES)
  const second = send(text(SMALL + 1))
  t.strictSame(second.outcomes, WAITS)
  first.raw.emit('finish')
  t.strictSame(second.outcomes, LEAVES)
  first.raw.emit('close')
  t.strictSame(send(text(SMALL + 1)).outcomes, WAITS, 'the room of a reply is given back once')
})

void t.test('a reply counts by its length as text or bytes, and a stream or no body does not', async (t) => {
  const send = open(100_000)
  send(Buffer.alloc(90_000))
  t.strictSame(send(Buffer.alloc(90_000)).outcomes, WAITS)
  for (const payload of [null, undefined, { length: 90_000 }]) t.strictSame(send(payload).outcomes, LEAVES)
})

void t.test('room is used up to the last byte', async (t) => {
  const send = open(200_000)
  const [first, second] = [send(text(100_000)), send(text(100_000))]
  t.strictSame([first.outcomes, second.outcomes], [LEAVES, LEAVES])
  const [third, fourth] = [send(text(70_000)), send(text(130_000))]
  t.strictSame([third.outcomes, fourth.outcomes], [WAITS, WAITS], 'as many bytes may wait as may be under way')
  t.strictSame(send(text(SMALL + 1)).outcomes, [503])
  const written = send(text(SMALL + 1), 'POST')
  t.strictSame(written.outcomes, WAITS, 'the reply to a write is never refused')
  first.raw.emit('finish')
  t.strictSame([third.outcomes, fourth.outcomes], [LEAVES, WAITS])
  second.raw.emit('finish')
  t.strictSame([fourth.outcomes, written.outcomes], [LEAVES, WAITS])
  third.raw.emit('finish')
  t.strictSame(written.outcomes, LEAVES)
})

void t.test('a reply whose client has already left takes no room, and does not wait', async (t) => {
  const send = open(100_000)
  t.strictSame(send(text(90_000), 'GET', true).outcomes, LEAVES)
  t.strictSame(send(text(90_000)).outcomes, LEAVES)
  t.strictSame(send(text(90_000), 'POST', true).outcomes, LEAVES)
})

void t.test('a reply that would fit waits behind one that does not', async (t) => {
  const send = open(300_000)
  const first = send(text(200_000))
  const [large, fits] = [send(text(150_000)), send(text(70_000))]
  t.strictSame([large.outcomes, fits.outcomes], [WAITS, WAITS])
  first.raw.emit('finish')
  t.strictSame([large.outcomes, fits.outcomes], [LEAVES, LEAVES])
})
