import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { invalidBody, ServiceError, type Fault } from '../errors.js'

/** Lets the application read JSON bodies only, an empty one as no body at all. */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    const text = bytes.toString()
    // Clients of this interface announce JSON and send nothing; operations that need a body find out by their schema.
    if (text === '') {
      done(null, undefined)
      return
    }
    // Decoding puts U+FFFD for what is not UTF-8; a body that has it may also have been sent with it.
    if (text.includes('\ufffd') && !isUtf8(bytes)) {
      done(new ServiceError('invalidBody', 'The body is not valid JSON: it is not UTF-8.'))
      return
    }
    // A short body cannot be deep, and nearly all are short.
    const depth = request.routeOptions.config.isControl === true ? MAX_DEPTH + AROUND : MAX_DEPTH
    if (text.length > depth && isTooDeep(text, depth)) {
      done(invalidBody([{ field: '', reason: `must not be nested more than ${depth} levels deep` }]))
      return
    }
    void parse(request, text, (error, body: unknown) => {
      if (error) done(explain(text))
      else done(refuseUnstorable(text, body), body)
    })
  })
}

/** Deeper ones can be read, but not be walked through and written again: both are recursive. */
const MAX_DEPTH = 1000
/** What a body of the interface can bring along is some levels deeper in a document of a sandbox, which must be accepted as well. */
const AROUND = 10

function isTooDeep(text: string, limit: number): boolean {
  let depth = 0
  let isInString = false
  for (let i = 0; i < text.length; i++) {
    const character = text[i]
    if (isInString) {
      if (character === '\\') i++
      else if (character === '"') isInString = false
    } else if (character === '"') isInString = true
    else if (character === '[' || character === '{') {
      if (++depth > limit) return true
    } else if (character === ']' || character === '}') depth--
  }
  return false
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
  // Bodies without half a surrogate pair, or a number that may be too large, nearly all of them, cost one search.
  if (!/\\u[dD][89a-fA-F]|[eE]\+?\d{3}|\d{309}/.test(text)) return null
  const fault = findFault({ '': body }, undefined, (key, value) => {
    if (!isWellFormed(key) || (typeof value === 'string' && !isWellFormed(value))) return 'must be well-formed Unicode, without half a surrogate pair'
    return value === Infinity || value === -Infinity ? `must be a number between -${Number.MAX_VALUE} and ${Number.MAX_VALUE}` : undefined
  })
  return fault === undefined ? null : invalidBody([fault])
}

/** The first field, at whatever depth, that there is something to say against. One whose name cannot be written is told by what it is in. */
function findFault(value: unknown, path: string | undefined, problem: (key: string, value: unknown) => string | undefined): Fault | undefined {
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
