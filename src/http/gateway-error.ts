import { type Condition, ServiceError } from '../lib/errors.js'
import type { Refusal } from '../profile/gateway.js'

/** Refuses a request before it reaches the service. A profile can say how it is answered. */
export class GatewayError extends ServiceError {
  readonly refusal: Refusal

  constructor(refusal: Refusal, condition: Condition, message: string) {
    super(condition, message)
    this.refusal = refusal
  }
}
