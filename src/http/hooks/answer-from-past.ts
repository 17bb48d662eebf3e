import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ControlPlane } from '../../control-plane.js'

/** Answers the reads of all routes that are added to `api` after this call as a fault says: as they were. */
export function answerFromPast(api: FastifyInstance, { past, engine }: Pick<ControlPlane, 'past' | 'engine'>): void {
  api.addHook('onRoute', (route) => {
    const { handler, method } = route
    if (method !== 'GET' && method !== 'HEAD') return
    route.handler = function (request, reply) {
      return request.fault?.effect.stale === undefined || past.isOpen
        ? handler.call(this, request, reply)
        : answer(request, reply, () => handler.call(this, request, reply))
    }
  })

  function answer(request: FastifyRequest, reply: FastifyReply, handle: () => unknown): unknown {
    const { sandbox, fault, arrival } = request
    const sent: unknown[] = []
    // What the handler sends leaves when the present is back: hooks record it.
    reply.send = (payload) => {
      sent.push(payload)
      return reply
    }
    try {
      return past.read(sandbox, fault!.effect.stale!, arrival?.at ?? engine.now(sandbox), handle)
    } finally {
      Reflect.deleteProperty(reply, 'send')
      for (const payload of sent) void reply.send(payload)
    }
  }
}
