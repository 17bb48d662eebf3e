import type { FastifyReply } from 'fastify'
import { ServiceError } from '../interface/errors.js'
import { onceOver } from './once-over.js'

/** A body up to this size, in bytes, always has room: its connection takes as much. */
const SMALL = 16 * 1024

/** Asks for more room for a body, passing its total size in bytes. @returns why it may not grow */
export type AskForRoom = (bytes: number) => ServiceError | undefined

/**
 * Limits the memory for the bodies of all unanswered requests: a client can send slowly, and a fault can delay a reply.
 */
export class BodyRoom {
  readonly #bytes: number
  #taken = 0

  /** @param bytes limit for all bodies together; a larger one is accepted while it is the only one */
  constructor(bytes: number) {
    this.#bytes = bytes
  }

  /**
   * Reserves room for one body until its reply has left. Call the result with the body's total size, in bytes, whenever
   * it grows.
   */
  for(reply: FastifyReply): AskForRoom {
    let own = 0
    return (bytes) => {
      if (bytes <= Math.max(own, SMALL)) return undefined
      const others = this.#taken - own
      if (others > 0 && others + bytes > this.#bytes) {
        void reply.header('retry-after', '1')
        return new ServiceError(
          'unavailable',
          'The bodies of other requests take up all available memory, so nothing was changed; try again.'
        )
      }
      if (own === 0)
        onceOver(reply.raw, () => {
          this.#taken -= own
        })
      this.#taken += bytes - own
      own = bytes
      return undefined
    }
  }
}
