import type { FastifyReply, FastifyRequest } from 'fastify'
import t from 'tap'
import { ReadCache } from '../../src/http/read-cache.js'
import { finish, Scheduler, type Slices } from '../../src/lib/scheduler.js'

const MIB = 1024 * 1024

/** A cache, the ends of long reads under way, and the texts that it has sent. */
function open() {
  const ends: ((error?: Error) => void)[] = []
  const plane = {
    past: { moment: undefined },
    now: () => 0,
    read: <T>(_sandbox: unknown, read: (isTimeUp: () => boolean) => Slices<T>) =>
      new Promise<T>((resolve, reject) => {
        ends.push((error) => (error === undefined ? resolve(finish(read(() => true))) : reject(error)))
      }),
    scheduler: new Scheduler(() => 0)
  }
  const sent: string[] = []
  const reply = { type: () => reply, send: (text: string) => sent.push(text) } as unknown as FastifyReply
  const requestFor = (url: string, version = 1) =>
    ({ sandbox: { key: 1, version }, url, id: 'x' }) as unknown as FastifyRequest
  return { cache: new ReadCache(plane, () => ''), ends, sent, reply, requestFor }
}

/** Returns a function that reads a URL through a cache, and says how often its reply was made. */
function openCache() {
  const { cache, reply, requestFor } = open()
  const made = new Map<string, number>()
  return (url: string, characters: number, version?: number) => {
    cache.answer(requestFor(url, version), reply, () => {
      made.set(url, (made.get(url) ?? 0) + 1)
      return { result: 'x'.repeat(characters), until: undefined }
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

/** Number of characters that the cache counts in addition to the result. */
const around = (url: string) => `1 ${url}""`.length

void t.test('a reply that takes a quarter of the cache is kept, and so are four of them', async (t) => {
  const read = openCache()
  const quarter = (url: string) => read(url, 8 * MIB - around(url))
  for (const times of [1, 2]) t.equal(read('/over', 8 * MIB - around('/over') + 1), times, 'one character more')
  const urls = ['/a', '/b', '/c', '/d']
  for (let i = 0; i < 2; i++) for (const url of urls) t.equal(quarter(url), 1, url)
  t.equal(read('/e', 0), 1)
  t.equal(quarter('/b'), 1, 'only the oldest has made room')
  t.equal(quarter('/a'), 2)
})

void t.test('a new reply takes the room of the one before', async (t) => {
  const read = openCache()
  read('/other', 7 * MIB)
  for (let version = 1; version < 10; version++) read('/a', 7 * MIB, version)
  t.equal(read('/other', 7 * MIB), 1)
  t.equal(read('/a', 7 * MIB, 9), 9)
})

void t.test('a large reply that failed is tried again, once for all requests that wait', async (t) => {
  const { cache, ends, sent, reply, requestFor } = open()
  const ask = async () =>
    cache.answerInSlices(requestFor('/a'), reply, function* () {
      yield
      return { message: 'm', text: '1' }
    })
  const asked = [ask(), ask()]
  t.equal(ends.length, 1)
  ends[0]!(new Error('no luck'))
  await Promise.all(asked.map((answer) => t.rejects(answer, { message: 'no luck' })))
  const again = [ask(), ask()]
  t.equal(ends.length, 2)
  ends[1]!()
  await Promise.all(again)
  const bodies = sent.map((text) => JSON.parse(text) as object)
  t.match(bodies, Array(2).fill({ RequestID: 'x', Message: 'm', Result: 1 }))
})
