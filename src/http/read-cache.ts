import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ReplyParts } from '../journal/journal.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Its reply, but for its RequestID, where that is kept for others. */
    replyParts: Answer | undefined
  }
}

/** The reply of a read, but for its RequestID. */
export interface Answer extends ReplyParts {
  /** Version of the sandbox that it shows. */
  readonly version: number
}

/** Characters of all answers that are kept. */
const CAPACITY = 32 * 1024 * 1024

/**
 * Keeps the JSON text of reads until something is written in their sandbox, for clients poll, and turning rows into text
 * costs more than all the rest of such a request. What was not asked for longest goes first when there is too much.
 */
export class ReadCache {
  readonly #answers = new Map<string, Answer>()
  #size = 0

  /** Answers a read by what is kept for its URL, or else by what `read` returns. It must depend on the sandbox and the URL only. */
  answer(request: FastifyRequest, reply: FastifyReply, read: () => { message: string; result: unknown }): void {
    const { sandbox, url, id } = request
    const key = `${sandbox.key} ${url}`
    let answer = this.#answers.get(key)
    if (answer?.version !== sandbox.version) {
      this.#drop(key)
      answer = toAnswer(sandbox.version, read())
      this.#keep(key, answer)
    }
    request.replyParts = answer
    // A RequestID has no character that JSON would escape.
    void reply.type('application/json; charset=utf-8').send(`${answer.beforeId}${id}${answer.afterId}`)
  }

  #keep(key: string, answer: Answer): void {
    const size = sizeOf(key, answer)
    if (size > CAPACITY / 4) return
    this.#answers.set(key, answer)
    this.#size += size
    for (const oldest of this.#answers.keys()) {
      if (this.#size <= CAPACITY) return
      this.#drop(oldest)
    }
  }

  #drop(key: string): void {
    const answer = this.#answers.get(key)
    if (answer === undefined) return
    this.#answers.delete(key)
    this.#size -= sizeOf(key, answer)
  }
}

const sizeOf = (key: string, { beforeId, afterId }: Answer) => key.length + beforeId.length + afterId.length

function toAnswer(version: number, { message, result }: { message: string; result: unknown }): Answer {
  return {
    version,
    beforeId: `{"Error":false,"Message":${JSON.stringify(message)},"RequestID":"`,
    shared: undefined,
    afterId: afterIdOf(result)
  }
}

const afterIdOf = (result: unknown) => `","Result":${JSON.stringify(result)}}`

/** The text of an answer with another result in its place. */
export function withResult({ beforeId, afterId }: Answer, change: (result: unknown) => unknown): Pick<Answer, 'beforeId' | 'afterId'> {
  const { Result } = JSON.parse(`{"RequestID":"${afterId}`) as { Result: unknown }
  return { beforeId, afterId: afterIdOf(change(Result)) }
}
