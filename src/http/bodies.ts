import type { Readable } from 'node:stream'
import { getHeapStatistics } from 'node:v8'
import {
  errorCodes,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions
} from 'fastify'
import { type FieldError, ServiceError } from '../interface/errors.js'
import { fieldErrorsBy, lazyCompiler, throwFieldErrors } from '../interface/validation.js'
import { type Scheduler, SLICE_MS, type Slices } from '../lib/scheduler.js'
import { machineTime } from '../lib/time.js'
import { type JsonLimits, readJson } from './json-body.js'
import { type AskForRoom, onceOver } from './request-context.js'
import { RequestQueue } from './request-queue.js'

interface Memory {
  /** Approximate bytes that one parsed body may take. */
  readonly one: number
  /** Bytes that the bodies of all pending requests may take together. */
  readonly all: number
}

/** Minimum of `all`, so that small heaps can handle ordinary bodies, too. */
const LEAST_ROOM = 64 * 2 ** 20

/** Accepts JSON bodies only. An empty body counts as no body. */
export function readJsonBodies(
  app: FastifyInstance,
  scheduler: Scheduler,
  memory: Memory = memoryOf(getHeapStatistics().heap_size_limit)
): void {
  const queue = new RequestQueue(scheduler)
  const roomFor = bodyRoom(memory.all)
  app.addHook('preParsing', (request, reply, _payload, done) => {
    request.askForRoom = roomFor(reply)
    done()
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', (request, payload, done) => {
    const { headers, route, askForRoom } = request
    readBody(payload, Number(headers['content-length']), route.bodyLimit, askForRoom!, (error, bytes) => {
      if (error !== null) done(error)
      else if (bytes!.length <= SHORT_BODY) read(request, bytes!, done)
      else queue.add(request.enteredSandbox, () => read(request, bytes!, done), true)
    })
  })

  function read(request: FastifyRequest, bytes: Buffer, done: Done): void {
    // Some clients announce JSON but send nothing. If an operation needs a body, its schema reports the error.
    if (bytes.length === 0) {
      done(null, undefined)
      return
    }
    const refusal = unreadable(request)
    if (refusal !== undefined) {
      done(refusal)
      return
    }
    const limits: JsonLimits = {
      depth: request.route.config.isControl === true ? MAX_DEPTH + AROUND : MAX_DEPTH,
      memory: memory.one,
      askForRoom: request.askForRoom!
    }
    goOn(request, readJson(bytes, limits), done)
  }

  function goOn(request: FastifyRequest, slices: Slices<unknown>, done: Done): void {
    const deadline = machineTime() + BODY_SLICE_MS
    let step
    try {
      do step = slices.next()
      while (step.done !== true && machineTime() < deadline)
    } catch (error) {
      done(error as Error)
      return
    }
    if (step.done === true) done(null, step.value)
    else queue.add(request.enteredSandbox, () => goOn(request, slices, done), true)
  }
}

type Done = (error: Error | null, body?: unknown) => void

function memoryOf(heap: number): Memory {
  return { one: heap / 2, all: Math.max(heap / 8, LEAST_ROOM) }
}

/** Bodies up to this size, in bytes, are parsed at once; longer ones take turns. */
const SHORT_BODY = 64 * 1024
/** How long a longer body is parsed before others get a turn, in milliseconds. */
const BODY_SLICE_MS = SLICE_MS / 3

/** A deeper body can be parsed, but not traversed or serialized: both are recursive. */
const MAX_DEPTH = 1000
/** In a state document, which must be accepted as well, values from bodies are this many levels deeper. */
const AROUND = 10

/**
 * Reads a body into one buffer, at most twice its size. Chunks are not collected: each is an object, and clients can
 * send one per byte.
 * @param announced length according to its header; NaN if absent
 */
function readBody(
  payload: Readable,
  announced: number,
  limit: number,
  ask: AskForRoom,
  done: (error: Error | null, bytes?: Buffer) => void
): void {
  if (announced > limit) {
    done(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
    return
  }
  let bytes = Buffer.alloc(0)
  let length = 0
  payload.on('data', onData).on('end', onEnd).on('error', finish).resume()

  function onData(chunk: Buffer): void {
    const refusal =
      length + chunk.length > limit ? new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE() : makeRoom(length + chunk.length)
    if (refusal === undefined) length += chunk.copy(bytes, length)
    else finish(refusal)
  }

  function makeRoom(needed: number): Error | undefined {
    if (needed <= bytes.length) return undefined
    const size = Math.max(needed, Math.min(2 * bytes.length, limit))
    const refusal = ask(size)
    if (refusal !== undefined) return refusal
    const larger = Buffer.allocUnsafe(size)
    bytes.copy(larger, 0, 0, length)
    bytes = larger
    return undefined
  }

  function onEnd(): void {
    finish(Number.isNaN(announced) || announced === length ? null : new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH())
  }

  function finish(error: Error | null): void {
    payload.off('data', onData).off('end', onEnd).off('error', finish)
    if (error === null) done(null, bytes.subarray(0, length))
    else done(error)
  }
}

/** The reason why a body cannot be read, if any. */
function unreadable({ headers }: FastifyRequest): ServiceError | undefined {
  const { 'content-encoding': encoding = 'identity', 'content-type': type = '' } = headers
  if (encoding.toLowerCase() !== 'identity') {
    return new ServiceError(
      'unsupportedMediaType',
      'The body must not be compressed: send it without Content-Encoding.'
    )
  }
  const charset = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(type)?.[1] ?? 'utf-8'
  if (/^(utf-?8|us-ascii)$/i.test(charset)) return undefined
  return new ServiceError('unsupportedMediaType', 'The body must be UTF-8: send Content-Type: application/json.')
}

/** A body up to this size, in bytes, always has room: its connection takes as much. */
const SMALL = 16 * 1024

/**
 * Limits the memory for the bodies of all unanswered requests: a client can send slowly, and a fault can delay a reply.
 * @param bytes limit for all bodies together; a larger one is accepted while it is the only one
 * @returns reserves room for one body until its reply has left; call it with the whole size whenever it grows
 */
function bodyRoom(bytes: number): (reply: FastifyReply) => AskForRoom {
  let taken = 0
  return (reply) => {
    let own = 0
    return (size) => {
      if (size <= Math.max(own, SMALL)) return undefined
      // Nothing would give the room back.
      if (reply.raw.destroyed) return new ServiceError('unavailable', 'The client has left, so nothing was changed.')
      const others = taken - own
      if (others > 0 && others + size > bytes) {
        void reply.header('retry-after', '1')
        return new ServiceError(
          'unavailable',
          'The bodies of other requests take up all available memory, so nothing was changed; try again.'
        )
      }
      if (own === 0)
        onceOver(reply.raw, () => {
          taken -= own
        })
      taken += size - own
      own = size
      return undefined
    }
  }
}

type ValidatorFactory = NonNullable<
  NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>['buildValidator']
>

export function validatorFactory(named: readonly object[]): ValidatorFactory {
  const compile = lazyCompiler(named)
  // Fastify's type describes its own compilers, which return what Ajv does.
  return (() =>
    ({ schema, httpPart }: { schema: object; httpPart: string }) =>
      ['params', 'querystring', 'headers'].includes(httpPart) ? isText : compile(schema)) as unknown as ValidatorFactory
}

/** Parameters and headers are text, and nothing else is checked here, so reads do not need Ajv. */
const isText = () => true

/**
 * Checks a body against a schema that depends on the request. A schema is compiled once.
 * @param others field errors that the schema cannot detect; its own error for the same field takes precedence
 * @throws {ServiceError} `invalidBody` naming every invalid field
 */
export function checkBody(request: FastifyRequest, schema: object, others: readonly FieldError[] = []): void {
  request.bodySchema = schema
  const validate = request.getValidationFunction(schema) ?? request.compileValidationSchema(schema)
  throwFieldErrors(fieldErrorsBy(validate, request.body), others)
}
