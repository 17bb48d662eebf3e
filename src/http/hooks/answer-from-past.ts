import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ControlPlane } from '../../resources/control-plane.js'
import type { Stale } from '../../sandboxes/past.js'
import { operationIdOf } from '../operation.js'

/**
 * Answers reads with an older state where a fault or the profile says so, on all routes added to `api` after this call.
 * Reports reads that would then have had another answer to `sandbox.onFreshRead`.
 */
export function answerFromPast(api: FastifyInstance, { past, profile }: Pick<ControlPlane, 'past' | 'profile'>): void {
  const lags = profile.edge.replies?.lags
  api.addHook('onRoute', (route) => {
    const { handler, method } = route
    if (method !== 'GET' && method !== 'HEAD') return
    route.handler = function (request, reply) {
      const handle = () => handler.call(this, request, reply)
      const stale = request.fault?.effect.stale
      if (stale !== undefined) return answer(request, reply, stale, handle)
      if (request.sandbox.onFreshRead !== undefined) compare(request, reply, handle)
      const by = lags?.get(operationIdOf(request)!)
      // In mode poll, reads end transitions: a client would never see the end of one.
      if (by === undefined || request.sandbox.clock.mode === 'poll') return handle()
      return past.reaches(request.sandbox, by, timeOf(request)) ? answer(request, reply, { by }, handle) : handle()
    }
  })

  function answer(request: FastifyRequest, reply: FastifyReply, stale: Stale, handle: () => unknown): unknown {
    const { sandbox } = request
    // The reply is sent only when the present is back, because hooks record it.
    const { sent, result } = capture(reply, () => past.read(sandbox, stale, timeOf(request), handle))
    for (const payload of sent) void reply.send(payload)
    return result
  }

  function compare(request: FastifyRequest, reply: FastifyReply, handle: () => unknown): void {
    const { sandbox, id } = request
    const [now, before] = [0, 1].map((writes) => {
      try {
        return past.read(sandbox, { writes }, timeOf(request), () => textOf(reply, handle))
      } catch {
        // The memory does not reach back that far.
        return undefined
      }
    })
    if (before !== undefined && now !== before) sandbox.onFreshRead?.(id)
  }
}

const timeOf = ({ arrival }: FastifyRequest) => arrival!.at

/** Runs a handler without sending its reply. */
function capture<T>(reply: FastifyReply, handle: () => T): { readonly sent: readonly unknown[]; readonly result: T } {
  const sent: unknown[] = []
  reply.send = (payload) => {
    sent.push(payload)
    return reply
  }
  try {
    return { result: handle(), sent }
  } finally {
    Reflect.deleteProperty(reply, 'send')
  }
}

/** The answer of a handler as text. */
function textOf(reply: FastifyReply, handle: () => unknown): string {
  try {
    const { sent, result } = capture(reply, handle)
    return JSON.stringify(sent.length > 0 ? sent : result)
  } catch (error) {
    return String(error)
  }
}
