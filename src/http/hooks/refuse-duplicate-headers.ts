import { ServiceError } from '../../interface/errors.js'
import type { OnRequest } from '../request-context.js'

/** The headers that identify the host and the caller of a request, by the length of their names. */
const SINGLE: ReadonlyMap<number, string> = new Map(
  ['host', 'x-api-key', 'x-mock-token', 'authorization'].map((name) => [name.length, name])
)

/**
 * Refuses a request with duplicate host or credential headers. Node keeps the first of some headers and joins others,
 * and a proxy in front of the server may have used another one.
 */
export const refuseDuplicateHeaders: OnRequest = ({ raw }, _reply, done) => {
  const duplicate = duplicateHeader(raw.rawHeaders)
  if (duplicate !== undefined) {
    throw new ServiceError('invalidBody', `The request is not valid: it has the header ${duplicate} more than once.`)
  }
  done()
}

/** @param raw alternating names and values, as received */
function duplicateHeader(raw: readonly string[]): string | undefined {
  let seen = 0
  for (let i = 0; i < raw.length; i += 2) {
    // This runs for every request, so compare lengths first.
    const { length } = raw[i]!
    const name = SINGLE.get(length)
    if (name === undefined || raw[i]!.toLowerCase() !== name) continue
    if ((seen & (1 << length)) !== 0) return name
    seen |= 1 << length
  }
  return undefined
}
