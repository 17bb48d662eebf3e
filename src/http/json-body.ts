import { isUtf8 } from 'node:buffer'
import { type FieldError, invalidBody, ServiceError } from '../lib/errors.js'
import { assembleJson, BrokenJson, FORBIDDEN_NAME, type ParsePiece, planJson } from '../lib/json-pieces.js'
import type { Slices } from '../lib/slices.js'
import type { AskForRoom } from './body-room.js'

/** What bounds a body. */
export interface JsonLimits {
  /** How deep it may be nested. */
  readonly depth: number
  /** How many bytes it may take once it is parsed, about. */
  readonly memory: number
  readonly askForRoom: AskForRoom
}

/**
 * What any body may cost; a larger one that costs more must be worth it: it may cost no more than so many times its
 * size.
 */
const FREE_COST = 16 * 2 ** 20
const COST_RATIO = 12

/**
 * Reads a JSON body, a large one in slices of some milliseconds.
 * @param parse parses a text that is JSON and has no forbidden names, and throws otherwise
 * @throws {ServiceError} if it is not JSON, deeper or larger than it may be, or has what cannot be stored
 */
export function* readJson(bytes: Buffer, limits: JsonLimits, parse: (text: string) => unknown): Slices<unknown> {
  const parsePiece: ParsePiece = (text, locate) => parseStorable(text, locate, parse)
  // A short body is neither deep nor large, and nearly all are short.
  if (bytes.length <= limits.depth) return readPiece()
  const { cost, depth, steps, isBroken } = yield* planJson(bytes, limits.depth)
  if (depth > limits.depth)
    throw invalidBody([{ field: '', reason: `must not be nested more than ${limits.depth} levels deep` }])
  const refusal =
    cost <= Math.min(limits.memory, Math.max(FREE_COST, COST_RATIO * bytes.length))
      ? limits.askForRoom(cost)
      : new ServiceError('bodyTooLarge', 'The body would take too much memory once parsed; send less at once.')
  if (refusal !== undefined) throw refusal
  if (isBroken) throw isUtf8(bytes) ? notJson() : notUtf8()
  if (steps.length === 0) return readPiece()
  // No step ends within a character, so the pieces are UTF-8 if the whole is.
  if (!isUtf8(bytes)) throw notUtf8()
  try {
    return yield* assembleJson(bytes, steps, parsePiece)
  } catch (error) {
    throw error instanceof BrokenJson ? notJson() : error
  }

  function readPiece(): unknown {
    const text = bytes.toString()
    // Decoding puts U+FFFD for what is not UTF-8; a body that has it may also have been sent with it.
    if (text.includes('\ufffd') && !isUtf8(bytes)) throw notUtf8()
    return parsePiece(text, (field) => field)
  }
}

const notJson = () => new ServiceError('invalidBody', 'The body is not valid JSON.')
const notUtf8 = () => new ServiceError('invalidBody', 'The body is not valid JSON: it is not UTF-8.')

/**
 * Parses a text, and refuses what JSON can write but nothing can store: that must not silently become something else.
 */
function parseStorable(text: string, locate: (field: string) => string, parse: (text: string) => unknown): unknown {
  let value
  try {
    value = parse(text)
  } catch {
    throw explain(text, locate)
  }
  // Bodies without half a surrogate pair, or a number that may be too large, nearly all of them, cost one search. It
  // looks at each run of digits from its beginning only; 210 of them and an exponent of two digits can be too large.
  if (!/\\u[dD][89a-fA-F]|[eE]\+?\d{3}|(?<!\d)\d{210}/.test(text)) return value
  const error = findFieldError({ '': value }, undefined, unstorable)
  if (error !== undefined) throw invalidBody([{ ...error, field: locate(error.field) }])
  return value
}

function unstorable(key: string, value: unknown): string | undefined {
  if (!isWellFormed(key) || (typeof value === 'string' && !isWellFormed(value)))
    return 'must be well-formed Unicode, without half a surrogate pair'
  return value === Infinity || value === -Infinity
    ? `must be a number between -${Number.MAX_VALUE} and ${Number.MAX_VALUE}`
    : undefined
}

/** Why the parser has refused a text. Its own message could quote the body, and a password in it. */
function explain(text: string, locate: (field: string) => string): ServiceError {
  let value
  try {
    value = JSON.parse(text.replace(/^\ufeff/, '')) as unknown
  } catch {
    return notJson()
  }
  const error = findFieldError(value, '', (key, item) =>
    key === '__proto__' ||
    (key === 'constructor' && typeof item === 'object' && item !== null && Object.hasOwn(item, 'prototype'))
      ? FORBIDDEN_NAME
      : undefined
  )
  return error === undefined ? notJson() : invalidBody([{ ...error, field: locate(error.field) }])
}

/**
 * The first field, at whatever depth, that there is something to say against. One whose name cannot be written is told
 * by what it is in.
 */
function findFieldError(
  value: unknown,
  path: string | undefined,
  problem: (key: string, value: unknown) => string | undefined
): FieldError | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, item] of Object.entries(value)) {
    const field = path === undefined || path === '' ? key : `${path}.${key}`
    const reason = problem(key, item)
    if (reason !== undefined) return { field: isWellFormed(key) ? field : (path ?? ''), reason }
    const found = findFieldError(item, field, problem)
    if (found !== undefined) return found
  }
  return undefined
}

/** TypeScript's library for this target lacks `String.prototype.isWellFormed`, which every supported Node has. */
const isWellFormed = (text: string) => (text as string & { isWellFormed: () => boolean }).isWellFormed()
