import { ServiceError } from '../../lib/errors.js'
import type { OnRequest } from '../request-context.js'

/** The headers that say whom a request is for and whom it comes from, by the lengths of their names. */
const SINGLE: ReadonlyMap<number, string> = new Map(
  ['host', 'x-api-key', 'x-mock-token', 'authorization'].map((name) => [name.length, name])
)

/**
 * Refuses a request that names its host or its caller more than once. Node keeps the first of some headers and joins
 * others, and a
 * proxy in front of it may have looked at another one.
 */
export const refuseDuplicateHeaders: OnRequest = ({ raw }, _reply, done) => {
  const duplicate = duplicateHeader(raw.rawHeaders)
  if (duplicate !== undefined) {
    throw new ServiceError('invalidBody', `The request is not valid: it has the header ${duplicate} more than once.`)
  }
  done()
}

/** @param raw names and values in turn, as they have arrived */
function duplicateHeader(raw: readonly string[]): string | undefined {
  let seen = 0
  for (let i = 0; i < raw.length; i += 2) {
    // This is asked of every request, so the length comes first.
    const { length } = raw[i]!
    const name = SINGLE.get(length)
    if (name === undefined || raw[i]!.toLowerCase() !== name) continue
    if ((seen & (1 << length)) !== 0) return name
    seen |= 1 << length
  }
  return undefined
}
