import type { FastifyInstance } from 'fastify'
import type { Slow } from '../../profile/replies.js'
import type { Sandbox } from '../../sandboxes/sandbox.js'
import { Waits } from '../waits.js'

/** Lets the first request of a sandbox wait, and each after a pause, on all routes that are added from now on. */
export function delayFirst(api: FastifyInstance, { by, after }: Slow): void {
  const waits = new Waits(api)
  const latest = new WeakMap<Sandbox, number>()
  api.addHook('onRequest', (request, _reply, done) => {
    const { sandbox, arrival } = request
    const before = latest.get(sandbox)
    latest.set(sandbox, arrival!.at)
    if (before !== undefined && Math.abs(arrival!.at - before) < after) done()
    else waits.wait(request, by).then(() => done(), done)
  })
}
