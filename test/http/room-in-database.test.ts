import type { FastifyReply, FastifyRequest } from 'fastify'
import t from 'tap'
import { refuseWhenFull } from '../../src/http/hooks/refuse.js'

void t.test('a full database refuses what would make a sandbox larger, and nothing else', (t) => {
  const refuse = refuseWhenFull({
    requireRoom: () => {
      throw new Error('full')
    }
  })
  const meet = (method: string, url: string | undefined, isRead?: boolean) => {
    let done = 0
    try {
      refuse({ method, route: { url, config: { isRead } } } as FastifyRequest, {} as FastifyReply, () => {
        done++
      })
    } catch {
      return 'refused'
    }
    return done === 1 ? 'goes on' : 'neither'
  }
  for (const method of ['POST', 'PUT']) {
    for (const url of ['/workgroups', '/users/:userId/roles', undefined])
      t.equal(meet(method, url), 'refused', `${method} ${url}`)
    t.equal(meet(method, '/workgroups', true), 'goes on')
    t.equal(meet(method, '/workgroups', false), 'refused')
    for (const url of ['/_mock/state', '/_mock/seed', '/_mock/snapshots/:name'])
      t.equal(meet(method, url), 'refused', `${method} ${url}`)
    for (const url of ['/_mock/reset', '/_mock/clock', '/_mock/quotas', '/_mock/snapshots/:name/restore'])
      t.equal(meet(method, url), 'goes on', url)
  }
  for (const method of ['GET', 'HEAD', 'DELETE'])
    for (const url of ['/workgroups', '/_mock/state']) t.equal(meet(method, url), 'goes on', `${method} ${url}`)
  t.end()
})
