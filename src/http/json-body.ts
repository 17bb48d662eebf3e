import { isUtf8 } from 'node:buffer'
import { type FieldError, invalidBody, ServiceError } from '../interface/errors.js'
import { assembleJson, BrokenJson, FORBIDDEN_NAME, type ParsePiece, planJson } from '../interface/json-pieces.js'
import type { Slices } from '../lib/scheduler.js'
import type { AskForRoom } from './request-context.js'

export interface JsonLimits {
  readonly depth: number
  /** Approximate bytes that the parsed body may take. */
  readonly memory: number
  readonly askForRoom: AskForRoom
}

/** Any body may take this much memory, and a large one up to this many times its size. */
const FREE_COST = 16 * 2 ** 20
const COST_RATIO = 12

/**
 * Parses a JSON body.
 * @throws {ServiceError} if it is not JSON, too deep, too large, or contains names or values that cannot be stored
 */
export function* readJson(bytes: Buffer, limits: JsonLimits): Slices<unknown> {
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
  // No step ends within a character, so if the whole is UTF-8, its pieces are too.
  if (!isUtf8(bytes)) throw notUtf8()
  try {
    return yield* assembleJson(bytes, steps, parseStorable)
  } catch (error) {
    throw error instanceof BrokenJson ? notJson() : error
  }

  function readPiece(): unknown {
    const text = bytes.toString()
    // Decoding replaces invalid UTF-8 with U+FFFD, but a body may also contain that character itself.
    if (text.includes('\ufffd') && !isUtf8(bytes)) throw notUtf8()
    return parseStorable(text, (field) => field)
  }
}

const notJson = () => new ServiceError('invalidBody', 'The body is not valid JSON.')
const notUtf8 = () => new ServiceError('invalidBody', 'The body is not valid JSON: it is not UTF-8.')

/**
 * Matches texts that may have a name that reaches into prototypes (its letters perhaps escaped), half a surrogate pair,
 * or a number that is too large, such as 210 digits with a two-digit exponent. So nearly all bodies cost one search.
 */
const SUSPICIOUS = /\\u(?:[dD][89a-fA-F]|00[5-7])|__proto__|constructor|[eE]\+?\d{3}|(?<!\d)\d{210}/

/** Refuses what JSON can express but cannot be stored, so that it does not change silently. */
const parseStorable: ParsePiece = (text, locate) => {
  let value: unknown
  try {
    value = JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text)
  } catch {
    // The parser's own message could quote the body, including a password.
    throw notJson()
  }
  const error = SUSPICIOUS.test(text) ? findFieldError({ '': value }, undefined) : undefined
  if (error !== undefined) throw invalidBody([{ ...error, field: locate(error.field) }])
  return value
}

function problemOf(key: string, value: unknown): string | undefined {
  if (key === '__proto__') return FORBIDDEN_NAME
  if (key === 'constructor' && typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype'))
    return FORBIDDEN_NAME
  if (!isWellFormed(key) || (typeof value === 'string' && !isWellFormed(value)))
    return 'must be well-formed Unicode, without half a surrogate pair'
  return value === Infinity || value === -Infinity
    ? `must be a number between -${Number.MAX_VALUE} and ${Number.MAX_VALUE}`
    : undefined
}

/** Finds the first field with an error, at any depth, or its parent if its name cannot be written. */
function findFieldError(value: unknown, path: string | undefined): FieldError | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, item] of Object.entries(value)) {
    const field = path === undefined || path === '' ? key : `${path}.${key}`
    const reason = problemOf(key, item)
    if (reason !== undefined) return { field: isWellFormed(key) ? field : path!, reason }
    const found = findFieldError(item, field)
    if (found !== undefined) return found
  }
  return undefined
}

/** TypeScript's library for this target lacks `String.prototype.isWellFormed`, which every supported Node has. */
const isWellFormed = (text: string) => (text as string & { isWellFormed: () => boolean }).isWellFormed()
