import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { invalidBody, ServiceError } from '../errors.js'

/** Lets the application read JSON bodies only, an empty one as no body at all. */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('remove', 'remove')
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
    if (text.length > MAX_DEPTH && isTooDeep(text)) {
      done(invalidBody([{ field: '', reason: `must not be nested more than ${MAX_DEPTH} levels deep` }]))
      return
    }
    void parse(request, text, (error, body: unknown) => {
      // The parser's own message could quote the body, and a password in it.
      if (error) done(new ServiceError('invalidBody', 'The body is not valid JSON.'))
      else done(refuseIllFormed(text, body), body)
    })
  })
}

/** Deeper ones can be read, but not be walked through and written again: both are recursive. */
const MAX_DEPTH = 1000

function isTooDeep(text: string): boolean {
  let depth = 0
  let isInString = false
  for (let i = 0; i < text.length; i++) {
    const character = text[i]
    if (isInString) {
      if (character === '\\') i++
      else if (character === '"') isInString = false
    } else if (character === '"') isInString = true
    else if (character === '[' || character === '{') {
      if (++depth > MAX_DEPTH) return true
    } else if (character === ']' || character === '}') depth--
  }
  return false
}

/** Half a surrogate pair, which JSON can write but no text encoding can store, is an error and not silently another text. */
function refuseIllFormed(text: string, body: unknown): ServiceError | null {
  // Bodies without such an escape, nearly all of them, cost one search.
  if (!/\\u[dD][89a-fA-F]/.test(text)) return null
  const field = findIllFormed(body, '')
  return field === undefined ? null : invalidBody([{ field, reason: 'must be well-formed Unicode, without half a surrogate pair' }])
}

function findIllFormed(value: unknown, path: string): string | undefined {
  if (typeof value === 'string') return isWellFormed(value) ? undefined : path
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, item] of Object.entries(value)) {
    const found = isWellFormed(key) ? findIllFormed(item, path === '' ? key : `${path}.${key}`) : path
    if (found !== undefined) return found
  }
  return undefined
}

/** TypeScript's library for this target lacks `String.prototype.isWellFormed`, which every supported Node has. */
const isWellFormed = (text: string) => (text as string & { isWellFormed: () => boolean }).isWellFormed()
