import { getHeapStatistics } from 'node:v8'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ServiceError } from '../lib/errors.js'
import { type Pacer, SLICE_MS } from '../lib/pacer.js'
import type { Slices } from '../lib/slices.js'
import { machineTime } from '../sim/clock.js'
import { readBody } from './body-reader.js'
import { BodyRoom } from './body-room.js'
import { type JsonLimits, readJson } from './json-body.js'
import { Turns } from './turns.js'

export interface Memory {
  /** How many bytes one body may take once it is parsed, about. */
  readonly one: number
  /** How many those may take together whose requests are under way. */
  readonly all: number
}

/** Small heaps have room for the bodies that come, too. */
const LEAST_ROOM = 64 * 2 ** 20

/** Lets the application read JSON bodies only, an empty one as no body at all. */
export function readJsonBodies(
  app: FastifyInstance,
  pacer: Pacer,
  memory: Memory = memoryOf(getHeapStatistics().heap_size_limit)
): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  const turns = new Turns(pacer)
  const room = new BodyRoom(memory.all)
  app.addHook('preParsing', (request, reply, _payload, done) => {
    request.askForRoom = room.for(reply)
    done()
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', (request, payload, done) => {
    const { headers, route, askForRoom } = request
    readBody(payload, Number(headers['content-length']), route.bodyLimit, askForRoom!, (error, bytes) => {
      if (error !== null) done(error)
      else if (bytes!.length <= SMALL_BODY) read(request, bytes!, done)
      else
        turns.add(
          request.enteredSandbox,
          () => {
            read(request, bytes!, done)
          },
          true
        )
    })
  })

  function read(request: FastifyRequest, bytes: Buffer, done: Done): void {
    // Clients of this interface announce JSON and send nothing; operations that need a body find out by their schema.
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
    goOn(
      request,
      readJson(bytes, limits, (text) => parseText(request, text)),
      done
    )
  }

  function goOn(request: FastifyRequest, slices: Slices<unknown>, done: Done): void {
    const outcome = runFor(slices, BODY_SLICE_MS)
    if (outcome === undefined)
      turns.add(
        request.enteredSandbox,
        () => {
          goOn(request, slices, done)
        },
        true
      )
    else done(outcome.error, outcome.body)
  }

  /** Fastify's parser, which is done when it returns. */
  function parseText(request: FastifyRequest, text: string): unknown {
    let outcome: Outcome | undefined
    void parse(request, text, (error, body) => {
      outcome = { error, body }
    })
    if (outcome!.error !== null) throw outcome!.error
    return outcome!.body
  }
}

interface Outcome {
  readonly error: Error | null
  readonly body?: unknown
}

type Done = (error: Error | null, body?: unknown) => void

/** Goes on with some slices for about as long as it may. @returns undefined if they are not at their end */
function runFor(slices: Slices<unknown>, milliseconds: number): Outcome | undefined {
  const deadline = machineTime() + milliseconds
  try {
    do {
      const { done, value } = slices.next()
      if (done === true) return { error: null, body: value }
    } while (machineTime() < deadline)
    return undefined
  } catch (error) {
    return { error: error as Error }
  }
}

function memoryOf(heap: number): Memory {
  return { one: heap / 2, all: Math.max(heap / 8, LEAST_ROOM) }
}

/** Up to this size, in bytes, a body is read as soon as it is there; larger ones take turns. */
const SMALL_BODY = 64 * 1024
/** How long a larger one is read before others have their turn, in milliseconds. */
const BODY_SLICE_MS = SLICE_MS / 3

/** Deeper ones can be read, but not be walked through and written again: both are recursive. */
const MAX_DEPTH = 1000
/**
 * What a body of the interface can bring along is some levels deeper in a document of a sandbox, which must be accepted
 * as well.
 */
const AROUND = 10

/** Why a body cannot be read as what it is, if it cannot. */
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
