import type { FastifyReply, FastifyRequest } from 'fastify'
import { success } from '../interface/envelope.js'
import { textSize } from '../journal/budget.js'
import { sharedText } from '../journal/journal.js'
import { finish, type Slices } from '../lib/scheduler.js'
import type { ControlPlane } from '../resources/control-plane.js'
import type { AddFields } from '../resources/extra.js'
import type { AddedFields } from './added-fields.js'
import type { MessageOf } from './operation.js'
import type { SentReading } from './request-context.js'
import { RequestQueue } from './request-queue.js'

/** The reply to a read, without its RequestID. */
interface Answer extends Reading {
  /** Version of the sandbox that it shows. */
  readonly version: number
}

interface Readable extends Pick<ControlPlane, 'read' | 'scheduler' | 'now'> {
  /** Reads of the past are not cached. */
  readonly past: { readonly moment: number | undefined }
}

/** Maximum number of characters of all cached answers. */
const CAPACITY = 32 * 1024 * 1024

/** The result of a read. */
export interface Reading {
  /** Its JSON text. */
  readonly text: string
  /** The operation's message if absent. */
  readonly message?: string
  /** When it changes even if nothing is written, by the clock of the sandbox; never if absent. */
  readonly until?: number | undefined
  /** Made when it is first sent, and shared by all its readers. */
  sent?: SentReading
}

/** Reads data that may be large, and yields when isTimeUp() returns true. addFields() completes what is serialized. */
type Read = (isTimeUp: () => boolean, addFields?: AddFields) => Slices<Reading>

/**
 * Caches the JSON text of reads until the next write in their sandbox: clients poll, and serializing rows costs more
 * than the rest of such a request. If the cache is full, it drops the oldest texts, however often they are requested.
 */
export class ReadCache {
  readonly #queue: RequestQueue
  readonly #answers = new Map<string, Answer>()
  /** Pending answers that take more than a slice, shared by all requests for them. */
  readonly #underWay = new Map<string, Promise<Reading>>()
  #size = 0

  constructor(
    private readonly plane: Readable,
    private readonly messageOf: MessageOf,
    private readonly fields?: AddedFields
  ) {
    this.#queue = new RequestQueue(plane.scheduler)
  }

  /** Answers a read by its URL. The result must depend only on the sandbox, its time and the URL. */
  answer(
    request: FastifyRequest,
    reply: FastifyReply,
    read: (now: number) => { readonly result: unknown; readonly until: number | undefined }
  ): void {
    let answer: Reading | undefined = this.#find(request)
    if (answer === undefined) {
      const { result, until } = read(this.plane.now(request.sandbox))
      const whole = this.fields === undefined ? result : this.fields.addToResult(request, result)
      answer = this.#keep(request, { text: JSON.stringify(whole), until })
    }
    this.#send(request, reply, answer)
  }

  /** Like {@link answer}, for results that may be large. */
  answerInSlices(request: FastifyRequest, reply: FastifyReply, read: Read): Promise<FastifyReply> | undefined {
    const addFields = this.#addFieldsTo(request)
    if (this.plane.past.moment !== undefined) {
      this.#send(request, reply, finish(read(() => false, addFields)))
      return undefined
    }
    const answer =
      this.#find(request) ??
      this.#underWay.get(keyOf(request)) ??
      this.#begin(request, (isTimeUp) => read(isTimeUp, addFields))
    // Send in turns: otherwise all waiting requests would continue at once, and sending a large reply takes a while.
    if (answer instanceof Promise) return answer.then((made) => this.#sendInTurn(request, reply, made))
    this.#send(request, reply, answer)
    return undefined
  }

  /** Answers a write with a read of its result, which may be large. */
  async answerWrite(request: FastifyRequest, reply: FastifyReply, read: Read): Promise<FastifyReply> {
    const addFields = this.#addFieldsTo(request)
    const reading = await this.plane.read(request.sandbox, (isTimeUp) => read(isTimeUp, addFields))
    return this.#send(request, reply, reading)
  }

  #addFieldsTo(request: FastifyRequest): AddFields | undefined {
    const fields = this.fields
    return fields && ((value, schema) => fields.addTo(request, value, schema) as typeof value)
  }

  #send(request: FastifyRequest, reply: FastifyReply, reading: Reading) {
    const { text, message = this.messageOf(request) } = reading
    void reply.type('application/json; charset=utf-8')
    if (this.fields !== undefined) {
      return reply.send(`${startOf(this.fields.addToEnvelope(success(request, message)))}${text}}`)
    }
    const sent = reading.sent?.message === message ? reading.sent : (reading.sent = sentOf(message, text))
    const payload = sharedText(sent, request.id)
    request.reading = { sent, payload }
    return reply.send(payload)
  }

  #sendInTurn(request: FastifyRequest, reply: FastifyReply, answer: Reading): Promise<FastifyReply> {
    return new Promise((resolve) => this.#queue.add(request.sandbox, () => resolve(this.#send(request, reply, answer))))
  }

  #begin(request: FastifyRequest, read: (isTimeUp: () => boolean) => Slices<Reading>): Reading | Promise<Reading> {
    const reading = this.plane.read(request.sandbox, read)
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
    if (this.plane.past.moment !== undefined) return undefined
    const answer = this.#answers.get(keyOf(request))
    if (answer?.version !== request.sandbox.version) return undefined
    return answer.until === undefined || this.plane.now(request.sandbox) < answer.until ? answer : undefined
  }

  #keep(request: FastifyRequest, reading: Reading): Reading {
    if (this.plane.past.moment !== undefined) return reading
    const key = keyOf(request)
    this.#drop(key)
    const size = sizeOf(key, reading)
    if (size > CAPACITY / 4) return reading
    this.#answers.set(key, { ...reading, version: request.sandbox.version })
    this.#size += size
    for (const oldest of this.#answers.keys()) {
      if (this.#size <= CAPACITY) break
      this.#drop(oldest)
    }
    return reading
  }

  #drop(key: string): void {
    const answer = this.#answers.get(key)
    if (answer === undefined) return
    this.#answers.delete(key)
    this.#size -= sizeOf(key, answer)
  }
}

/** Puts the envelope around the text of a result. */
function sentOf(message: string, text: string): SentReading {
  const start = startOf(success({ id: '' }, message))
  const before = start.slice(0, start.indexOf('""') + 1)
  return { message, before, after: `${start.slice(before.length)}${text}}`, size: start.length + textSize(text) }
}

/** The text of an envelope up to its result. */
const startOf = (envelope: object) => `${JSON.stringify({ ...envelope, Result: undefined }).slice(0, -1)},"Result":`

const keyOf = ({ sandbox, url }: FastifyRequest) => `${sandbox.key} ${url}`

const sizeOf = (key: string, { text }: Reading) => key.length + text.length
