import { isUtf8 } from 'node:buffer'
import { getHeapStatistics } from 'node:v8'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalidBody, ServiceError, type FieldError } from '../lib/errors.js'
import { readBody } from './body-reader.js'
import { BodyRoom, type AskForRoom } from './body-room.js'
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
export function readJsonBodies(app: FastifyInstance, memory: Memory = memoryOf(getHeapStatistics().heap_size_limit)): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  const turns = new Turns()
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
      else turns.add(request.enteredSandbox, () => { read(request, bytes!, done) })
    })
  })

  function read(request: FastifyRequest, bytes: Buffer, done: (error: Error | null, body?: unknown) => void): void {
    // Clients of this interface announce JSON and send nothing; operations that need a body find out by their schema.
    if (bytes.length === 0) {
      done(null, undefined)
      return
    }
    const levels = request.route.config.isControl === true ? MAX_DEPTH + AROUND : MAX_DEPTH
    const refusal = unreadable(request) ?? unbearable(bytes, memory.one, levels, request.askForRoom!)
    if (refusal !== undefined) {
      done(refusal)
      return
    }
    const text = bytes.toString()
    // Decoding puts U+FFFD for what is not UTF-8; a body that has it may also have been sent with it.
    if (text.includes('\ufffd') && !isUtf8(bytes)) {
      done(new ServiceError('invalidBody', 'The body is not valid JSON: it is not UTF-8.'))
      return
    }
    void parse(request, text, (error, body: unknown) => {
      if (error) done(explain(text))
      else done(refuseUnstorable(text, body), body)
    })
  }
}

function memoryOf(heap: number): Memory {
  return { one: heap / 2, all: Math.max(heap / 8, LEAST_ROOM) }
}

/** Up to this size, in bytes, a body is read as soon as it is there; larger ones take turns. */
const SMALL_BODY = 64 * 1024

/** Deeper ones can be read, but not be walked through and written again: both are recursive. */
const MAX_DEPTH = 1000
/** What a body of the interface can bring along is some levels deeper in a document of a sandbox, which must be accepted as well. */
const AROUND = 10

/** What a parsed value takes besides its text, in bytes: an object or an array, and an item or a field. */
const CONTAINER_COST = 64
const ITEM_COST = 32

/** What any body may cost; a larger one that costs more must be worth it: it may cost no more than so many times its size. */
const FREE_COST = 48 * 2 ** 20
const COST_RATIO = 12

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c]
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Why a body must not be parsed, if it must not: a few bytes can be very deep, and take many times as much memory. */
function unbearable(bytes: Buffer, memory: number, levels: number, askForRoom: AskForRoom): ServiceError | undefined {
  // A short body is neither deep nor large, and nearly all are short.
  if (bytes.length <= levels) return undefined
  let [depth, deepest, cost, isInString] = [0, 0, 2 * bytes.length, false]
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if (isInString) {
      if (byte === BACKSLASH) i++
      else if (byte === QUOTE) isInString = false
    } else if (byte === QUOTE) isInString = true
    else if (byte === COMMA || byte === COLON) cost += ITEM_COST
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      cost += CONTAINER_COST
      deepest = Math.max(deepest, ++depth)
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--
  }
  if (deepest > levels) return invalidBody([{ field: '', reason: `must not be nested more than ${levels} levels deep` }])
  if (cost <= Math.min(memory, Math.max(FREE_COST, COST_RATIO * bytes.length))) return askForRoom(cost)
  return new ServiceError('bodyTooLarge', 'The body would take too much memory once parsed; send less at once.')
}

/** Why a body cannot be read as what it is, if it cannot. */
function unreadable({ headers }: FastifyRequest): ServiceError | undefined {
  const { 'content-encoding': encoding = 'identity', 'content-type': type = '' } = headers
  if (encoding.toLowerCase() !== 'identity') {
    return new ServiceError('unsupportedMediaType', 'The body must not be compressed: send it without Content-Encoding.')
  }
  const charset = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(type)?.[1] ?? 'utf-8'
  if (/^(utf-?8|us-ascii)$/i.test(charset)) return undefined
  return new ServiceError('unsupportedMediaType', 'The body must be UTF-8: send Content-Type: application/json.')
}

/** Why the parser has refused a body. Its own message could quote the body, and a password in it. */
function explain(text: string): ServiceError {
  try {
    const fault = findFault(JSON.parse(text.replace(/^\ufeff/, '')), '', (key, value) =>
      key === '__proto__' || (key === 'constructor' && typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype'))
        ? 'is not allowed as the name of a field' : undefined)
    if (fault !== undefined) return invalidBody([fault])
  } catch {
    // It is not JSON, which is told below.
  }
  return new ServiceError('invalidBody', 'The body is not valid JSON.')
}

/** What JSON can write, but nothing can store, is an error and does not silently become something else. */
function refuseUnstorable(text: string, body: unknown): ServiceError | null {
  // Bodies without half a surrogate pair, or a number that may be too large, nearly all of them, cost one search. It looks at each
  // run of digits from its beginning only; 210 of them and an exponent of two digits can be too large.
  if (!/\\u[dD][89a-fA-F]|[eE]\+?\d{3}|(?<!\d)\d{210}/.test(text)) return null
  const fault = findFault({ '': body }, undefined, (key, value) => {
    if (!isWellFormed(key) || (typeof value === 'string' && !isWellFormed(value))) return 'must be well-formed Unicode, without half a surrogate pair'
    return value === Infinity || value === -Infinity ? `must be a number between -${Number.MAX_VALUE} and ${Number.MAX_VALUE}` : undefined
  })
  return fault === undefined ? null : invalidBody([fault])
}

/** The first field, at whatever depth, that there is something to say against. One whose name cannot be written is told by what it is in. */
function findFault(value: unknown, path: string | undefined, problem: (key: string, value: unknown) => string | undefined): FieldError | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, item] of Object.entries(value)) {
    const field = path === undefined || path === '' ? key : `${path}.${key}`
    const reason = problem(key, item)
    if (reason !== undefined) return { field: isWellFormed(key) ? field : path ?? '', reason }
    const found = findFault(item, field, problem)
    if (found !== undefined) return found
  }
  return undefined
}

/** TypeScript's library for this target lacks `String.prototype.isWellFormed`, which every supported Node has. */
const isWellFormed = (text: string) => (text as string & { isWellFormed: () => boolean }).isWellFormed()
