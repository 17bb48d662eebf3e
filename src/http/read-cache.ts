import type { FastifyReply, FastifyRequest } from 'fastify'
import { success } from '../interface/envelope.js'
import { finish, type Slices } from '../lib/slices.js'
import type { ControlPlane } from '../resources/control-plane.js'
import type { AddFields } from '../resources/extra.js'
import type { ReplyFields } from './hooks/add-fields.js'
import { Turns } from './turns.js'

/** The reply to a read, without its RequestID. */
interface Answer {
  /** Version of the sandbox that it shows. */
  readonly version: number
  readonly message: string
  /** Its text before and after the RequestID. */
  readonly beforeId: string
  readonly afterId: string
}

/** What reads need. */
interface Readable extends Pick<ControlPlane, 'read' | 'pacer'> {
  /** What is read in the past is not cached. */
  readonly past: { readonly isOpen: boolean }
}

/** Maximum number of characters of all cached answers. */
const CAPACITY = 32 * 1024 * 1024

/** The result of a read: a message, and JSON text. */
interface Reading {
  readonly message: string
  readonly text: string
}

/**
 * Reads data that may be large. It must yield when isTimeUp() returns true; addFields() adds the further fields to what
 * it serializes.
 */
type Read = (isTimeUp: () => boolean, addFields?: AddFields) => Slices<Reading>

/**
 * Caches the JSON text of reads until the next write in their sandbox: clients poll, and serializing rows costs more
 * than the rest of such a request. If the cache is full, the oldest texts are dropped, however often they are
 * requested.
 */
export class ReadCache {
  readonly #plane: Readable
  readonly #answers = new Map<string, Answer>()
  /** Pending answers that take more than a slice, shared by all requests for them. */
  readonly #underWay = new Map<string, Promise<Answer>>()
  readonly #turns: Turns
  #size = 0
  readonly #messageOf: ((request: FastifyRequest) => string | undefined) | undefined
  readonly #fields: ReplyFields | undefined

  /**
   * @param messageOf the message for a request, if the profile has one for its operation; undefined if it has none at
   * all
   * @param fields adds the further fields of the profile; undefined if it has none
   */
  constructor(plane: Readable, messageOf?: (request: FastifyRequest) => string | undefined, fields?: ReplyFields) {
    this.#messageOf = messageOf
    this.#fields = fields
    this.#plane = plane
    this.#turns = new Turns(plane.pacer)
  }

  /**
   * Answers a read from the cache by its URL, or calls `read`. The result must depend only on the sandbox and the URL.
   */
  answer(request: FastifyRequest, reply: FastifyReply, read: () => { message: string; result: unknown }): void {
    let answer = this.#find(request)
    if (answer === undefined) {
      const { message, result } = read()
      const whole = this.#fields === undefined ? result : this.#fields.addToResult(request, result)
      answer = this.#keep(request, { message, text: JSON.stringify(whole) })
    }
    this.#send(request, reply, answer)
  }

  /**
   * Like {@link answer}, for results that may be large.
   */
  answerInSlices(request: FastifyRequest, reply: FastifyReply, read: Read): Promise<FastifyReply> | undefined {
    const addFields = this.#addFieldsTo(request)
    if (this.#plane.past.isOpen) {
      this.#send(request, reply, toAnswer(NaN, finish(read(() => false, addFields))))
      return undefined
    }
    const answer =
      this.#find(request) ??
      this.#underWay.get(keyOf(request)) ??
      this.#begin(request, (isTimeUp) => read(isTimeUp, addFields))
    // Send in turns: otherwise all who wait would continue at once, and sending a large reply takes a while.
    if (answer instanceof Promise) return answer.then((made) => this.#sendInTurn(request, reply, made))
    this.#send(request, reply, answer)
    return undefined
  }

  /** Answers a write with what it leaves, which may be large. */
  async answerWrite(request: FastifyRequest, reply: FastifyReply, read: Read): Promise<FastifyReply> {
    const addFields = this.#addFieldsTo(request)
    const reading = await this.#plane.read(request.sandbox, (isTimeUp) => read(isTimeUp, addFields))
    return this.#send(request, reply, toAnswer(NaN, reading))
  }

  #addFieldsTo(request: FastifyRequest): AddFields | undefined {
    const fields = this.#fields
    return fields && ((value, schema) => fields.addTo(request, value, schema) as typeof value)
  }

  #send(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply {
    const { beforeId, afterId } = answer
    const message = this.#messageOf?.(request)
    const before = message === undefined ? beforeId : textBeforeId(message)
    // No character of a RequestID needs escaping in JSON.
    const text =
      this.#fields === undefined
        ? `${before}${request.id}${afterId}`
        : textAround(this.#fields.addToEnvelope(success(request, message ?? answer.message)), afterId)
    return reply.type('application/json; charset=utf-8').send(text)
  }

  #sendInTurn(request: FastifyRequest, reply: FastifyReply, answer: Answer): Promise<FastifyReply> {
    return new Promise((resolve) => {
      this.#turns.add(request.sandbox, () => {
        resolve(this.#send(request, reply, answer))
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
    if (this.#plane.past.isOpen) return undefined
    const answer = this.#answers.get(keyOf(request))
    return answer?.version === request.sandbox.version ? answer : undefined
  }

  #keep(request: FastifyRequest, reading: Reading): Answer {
    if (this.#plane.past.isOpen) return toAnswer(NaN, reading)
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

const keyOf = ({ sandbox, url }: FastifyRequest) => `${sandbox.key} ${url}`

const sizeOf = (key: string, { beforeId, afterId }: Answer) => key.length + beforeId.length + afterId.length

const textBeforeId = (message: string) => `{"Error":false,"Message":${JSON.stringify(message)},"RequestID":"`

/** @param envelope without a result */
const textAround = (envelope: object, afterId: string) => JSON.stringify(envelope).slice(0, -1) + afterId.slice(1)

function toAnswer(version: number, { message, text }: Reading): Answer {
  return {
    version,
    message,
    beforeId: textBeforeId(message),
    afterId: `","Result":${text}}`
  }
}
