import type { FastifyReply } from 'fastify'
import { ServiceError } from '../lib/errors.js'
import { onceOver } from './once-over.js'

/** What a body may take that always finds room, in bytes: its connection takes as much. */
const SMALL = 16 * 1024

/** What is asked before a body takes up more room: how many bytes it takes by now. @returns why it may not */
export type AskForRoom = (bytes: number) => ServiceError | undefined

/**
 * Bounds what the bodies of all requests take that are not answered yet: a client can send slowly, and a fault can
 * delay a reply.
 */
export class BodyRoom {
  readonly #bytes: number
  #taken = 0

  /** @param bytes how much they may take together; one that takes more is alone */
  constructor(bytes: number) {
    this.#bytes = bytes
  }

  /**
   * The room for one body, until its reply has left. It is called with what the body takes by now, in bytes, whenever
   * that grows.
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
