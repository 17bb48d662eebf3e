import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ReplyParts } from '../journal/journal.js'
import type { Slices } from '../sim/slices.js'
import type { World } from '../control-plane.js'

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

/** What a read comes to: a message, and its result as JSON text. */
export interface Reading {
  readonly message: string
  readonly text: string
}

/**
 * Keeps the JSON text of reads until something is written in their sandbox, for clients poll, and turning rows into text
 * costs more than all the rest of such a request. What was not asked for longest goes first when there is too much.
 */
export class ReadCache {
  readonly #world: Pick<World, 'read'>
  readonly #answers = new Map<string, Answer>()
  /** Answers that take more than a slice to make, for all who ask for them meanwhile. */
  readonly #underWay = new Map<string, Promise<Answer>>()
  #size = 0

  constructor(world: Pick<World, 'read'>) {
    this.#world = world
  }

  /** Answers a read by what is kept for its URL, or else by what `read` returns. It must depend on the sandbox and the URL only. */
  answer(request: FastifyRequest, reply: FastifyReply, read: () => { message: string; result: unknown }): void {
    let answer = this.#find(request)
    if (answer === undefined) {
      const { message, result } = read()
      answer = this.#keep(request, { message, text: JSON.stringify(result) })
    }
    send(request, reply, answer)
  }

  /**
   * As {@link answer}, for what may be much.
   * @param read yields when it is told that its time is up
   */
  answerInSlices(
    request: FastifyRequest, reply: FastifyReply, read: (isTimeUp: () => boolean) => Slices<Reading>
  ): Promise<FastifyReply> | undefined {
    const answer = this.#find(request) ?? this.#underWay.get(keyOf(request)) ?? this.#begin(request, read)
    if (answer instanceof Promise) return answer.then((made) => send(request, reply, made))
    send(request, reply, answer)
    return undefined
  }

  #begin(request: FastifyRequest, read: (isTimeUp: () => boolean) => Slices<Reading>): Answer | Promise<Answer> {
    const reading = this.#world.read(request.sandbox, read)
    if (!(reading instanceof Promise)) return this.#keep(request, reading)
    const key = keyOf(request)
    const answer = reading.then((made) => this.#keep(request, made)).finally(() => { this.#underWay.delete(key) })
    this.#underWay.set(key, answer)
    return answer
  }

  #find(request: FastifyRequest): Answer | undefined {
    const answer = this.#answers.get(keyOf(request))
    return answer?.version === request.sandbox.version ? answer : undefined
  }

  #keep(request: FastifyRequest, reading: Reading): Answer {
    const key = keyOf(request)
    const answer = toAnswer(request.sandbox.version, reading)
    this.#drop(key)
    const size = sizeOf(key, answer)
    if (size > CAPACITY / 4) return answer
    this.#answers.set(key, answer)
    this.#size += size
    for (const oldest of this.#answers.keys()) {
      if (this.#size <= CAPACITY) break
      this.#drop(oldest)
    }
    return answer
  }

  #drop(key: string): void {
    const answer = this.#answers.get(key)
    if (answer === undefined) return
    this.#answers.delete(key)
    this.#size -= sizeOf(key, answer)
  }
}

function send(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply {
  request.replyParts = answer
  // A RequestID has no character that JSON would escape.
  return reply.type('application/json; charset=utf-8').send(`${answer.beforeId}${request.id}${answer.afterId}`)
}

const keyOf = ({ sandbox, url }: FastifyRequest) => `${sandbox.key} ${url}`

const sizeOf = (key: string, { beforeId, afterId }: Answer) => key.length + beforeId.length + afterId.length

function toAnswer(version: number, { message, text }: Reading): Answer {
  return {
    version,
    beforeId: `{"Error":false,"Message":${JSON.stringify(message)},"RequestID":"`,
    shared: undefined,
    afterId: afterIdOf(text)
  }
}

const afterIdOf = (text: string) => `","Result":${text}}`

/** The text of an answer with another result in its place. */
export function withResult({ beforeId, afterId }: Answer, change: (result: unknown) => unknown): Pick<Answer, 'beforeId' | 'afterId'> {
  const { Result } = JSON.parse(`{"RequestID":"${afterId}`) as { Result: unknown }
  return { beforeId, afterId: afterIdOf(JSON.stringify(change(Result))) }
}
