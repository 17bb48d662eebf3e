import type { FastifyReply, FastifyRequest } from 'fastify'
import t from 'tap'
import { ReadCache } from '../../src/http/read-cache.js'
import { Pacer } from '../../src/lib/pacer.js'

const MIB = 1024 * 1024

/** A cache, and reads of it that say how often each reply was made. */
function openCache() {
  const cache = new ReadCache({
    read: () => {
      throw new Error('nothing is read in slices here')
    },
    pacer: new Pacer(() => 0)
  })
  const made = new Map<string, number>()
  const reply = { type: () => reply, send: () => reply }
  return (url: string, characters: number, version = 1) => {
    const request = { sandbox: { key: 1, version }, url, id: 'id' }
    cache.answer(request as unknown as FastifyRequest, reply as unknown as FastifyReply, () => {
      made.set(url, (made.get(url) ?? 0) + 1)
      return { message: '', result: 'x'.repeat(characters) }
    })
    return made.get(url)
  }
}

void t.test('a reply is made once for each version of its sandbox', async (t) => {
  const read = openCache()
  t.equal(read('/a', 10), 1)
  t.equal(read('/a', 10), 1)
  t.equal(read('/a?b', 10), 1, 'another URL')
  t.equal(read('/a', 10, 2), 2)
})

void t.test('a reply that would take more than a quarter of the room is not kept', async (t) => {
  const read = openCache()
  read('/small', 10)
  for (const times of [1, 2]) t.equal(read('/large', 9 * MIB), times)
  t.equal(read('/small', 10), 1, 'and makes no other one go')
})

void t.test('all replies together do not take more than there is room for', async (t) => {
  const read = openCache()
  for (let i = 0; i < 5; i++) read(`/${i}`, 7 * MIB)
  t.equal(read('/4', 7 * MIB), 1, 'the newest is kept')
  t.equal(read('/0', 7 * MIB), 2, 'the oldest has gone')
})
