import type { FastifyRequest } from 'fastify'
import { type Condition, ServiceError } from '../interface/errors.js'
import type { Gateway, Refusal } from '../profile/gateway.js'
import type { ProfileReply } from '../profile/reply.js'
import { isControl } from './operation.js'

/** Refuses a request before it reaches the service. A profile can say how it is answered. */
export class GatewayError extends ServiceError {
  readonly refusal: Refusal

  readonly #status: number | undefined

  /** @param status instead of that of the condition */
  constructor(refusal: Refusal, condition: Condition, message: string, status?: number) {
    super(condition, message)
    this.refusal = refusal
    this.#status = status
  }

  override get status(): number {
    return this.#status ?? super.status
  }
}

/** The profile's own reply to a request that its gateway refuses; undefined if it has none. */
export function gatewayReply(gateway: Gateway, { url, failure }: FastifyRequest): ProfileReply | undefined {
  if (!(failure instanceof GatewayError) || isControl(url)) return undefined
  return gateway.get(failure.refusal)
}
