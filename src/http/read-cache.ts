import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ControlPlane } from '../control-plane.js'
import type { Slices } from '../lib/slices.js'
import { Turns } from './turns.js'

/** The reply of a read, without its RequestID. */
interface Answer {
  /** Version of the sandbox that it shows. */
  readonly version: number
  /** Its text before and after the RequestID. */
  readonly beforeId: string
  readonly afterId: string
}

/** How many characters all answers may have that are kept. */
const CAPACITY = 32 * 1024 * 1024

/** What a read comes to: a message, and its result as JSON text. */
export interface Reading {
  readonly message: string
  readonly text: string
}

/**
 * Keeps the JSON text of reads until something is written in their sandbox: clients poll, and turning rows into text
 * costs more than all the rest of such a request. When the texts are too many, those go that were made first, however
 * often they are asked for.
 */
export class ReadCache {
  readonly #plane: Pick<ControlPlane, 'read' | 'pacer'>
  readonly #answers = new Map<string, Answer>()
  /** Answers that take more than a slice to make, for all who ask for them meanwhile. */
  readonly #underWay = new Map<string, Promise<Answer>>()
  readonly #turns: Turns
  #size = 0

  constructor(plane: Pick<ControlPlane, 'read' | 'pacer'>) {
    this.#plane = plane
    this.#turns = new Turns(plane.pacer)
  }

  /**
   * Answers a read by what is kept for its URL, or else by what `read` returns. It must depend on the sandbox and the
   * URL only.
   */
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
    request: FastifyRequest,
    reply: FastifyReply,
    read: (isTimeUp: () => boolean) => Slices<Reading>
  ): Promise<FastifyReply> | undefined {
    const answer = this.#find(request) ?? this.#underWay.get(keyOf(request)) ?? this.#begin(request, read)
    // All who have waited for it go on at once else, and a large reply takes a while to send.
    if (answer instanceof Promise) return answer.then((made) => this.#sendInTurn(request, reply, made))
    send(request, reply, answer)
    return undefined
  }

  #sendInTurn(request: FastifyRequest, reply: FastifyReply, answer: Answer): Promise<FastifyReply> {
    return new Promise((resolve) => {
      this.#turns.add(request.sandbox, () => {
        resolve(send(request, reply, answer))
      })
    })
  }

  #begin(request: FastifyRequest, read: (isTimeUp: () => boolean) => Slices<Reading>): Answer | Promise<Answer> {
    const reading = this.#plane.read(request.sandbox, read)
    if (!(reading instanceof Promise)) return this.#keep(request, reading)
    const key = keyOf(request)
    const answer = reading
      .then((made) => this.#keep(request, made))
      .finally(() => {
        this.#underWay.delete(key)
      })
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
  // A RequestID has no character that JSON would escape.
  return reply.type('application/json; charset=utf-8').send(`${answer.beforeId}${request.id}${answer.afterId}`)
}

const keyOf = ({ sandbox, url }: FastifyRequest) => `${sandbox.key} ${url}`

const sizeOf = (key: string, { beforeId, afterId }: Answer) => key.length + beforeId.length + afterId.length

function toAnswer(version: number, { message, text }: Reading): Answer {
  return {
    version,
    beforeId: `{"Error":false,"Message":${JSON.stringify(message)},"RequestID":"`,
    afterId: `","Result":${text}}`
  }
}
