import { EventEmitter } from 'node:events'
import type { FastifyReply } from 'fastify'
import t from 'tap'
import { BodyRoom } from '../../src/http/bodies.js'

/** The largest body that always has room. */
const SMALL = 16 * 1024

/** Room for the bodies of all requests. The result begins a request, whose body then asks for a number of bytes. */
function open(bytes: number) {
  const room = new BodyRoom(bytes)
  return () => {
    const raw = new EventEmitter()
    const headers: Record<string, unknown> = {}
    const ask = room.for({
      raw,
      header: (name: string, value: unknown) => {
        headers[name] = value
      }
    } as unknown as FastifyReply)
    return { raw, headers, ask: (size: number) => ask(size)?.status ?? 'has room' }
  }
}

void t.test('a body of 16 KiB has room whatever others take, and takes nothing', async (t) => {
  const begin = open(100_000)
  begin().ask(100_000)
  const small = begin()
  t.equal(small.ask(SMALL), 'has room')
  t.strictSame(small.headers, {})
  t.equal(small.ask(SMALL + 1), 503)
  t.strictSame(small.headers, { 'retry-after': '1' })

  const another = open(100_000)
  another().ask(SMALL)
  another().ask(50_000)
  t.equal(another().ask(50_000), 'has room', 'up to the last byte')
  t.equal(another().ask(SMALL + 1), 503)
})

void t.test('a body that grows takes the difference, and never asks again for what it has', async (t) => {
  const begin = open(100_000)
  const [first, second] = [begin(), begin()]
  t.equal(first.ask(20_000), 'has room')
  t.equal(first.ask(60_000), 'has room')
  t.equal(second.ask(40_000), 'has room')
  for (const size of [60_000, 50_000]) t.equal(first.ask(size), 'has room')
  t.equal(first.ask(60_001), 503)
  t.equal(begin().ask(20_000), 503)
})

void t.test(
  'the room of a body is given back once, when its reply has left or its connection has closed',
  async (t) => {
    const begin = open(100_000)
    const [first, second] = [begin(), begin()]
    first.ask(30_000)
    first.ask(60_000)
    second.ask(40_000)
    first.raw.emit('finish')
    first.raw.emit('close')
    const third = begin()
    t.equal(third.ask(60_000), 'has room')
    t.equal(begin().ask(20_000), 503)
    third.raw.emit('close')
    t.equal(begin().ask(60_000), 'has room')
  }
)

void t.test('a body that takes more than there is room for is read while it is the only one', async (t) => {
  const begin = open(100_000)
  const only = begin()
  t.equal(only.ask(150_000), 'has room')
  t.equal(only.ask(300_000), 'has room')
  const other = begin()
  t.equal(other.ask(20_000), 503)
  only.raw.emit('finish')
  t.equal(other.ask(200_000), 'has room')
})
