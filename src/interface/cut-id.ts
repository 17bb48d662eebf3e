import { ServiceError } from './errors.js'

/** How many ids a message lists. */
const LISTED = 5

/**
 * What a cut id begins with: as a table shows it, with an ellipsis, or at least four characters of a UUID.
 * @returns undefined for what is no cut id
 */
function beginningOf(id: string): string | undefined {
  if (id.endsWith('…')) return id.slice(0, -1)
  return id.length < 36 && /^[0-9a-f]{4,8}(?:(?<=^.{8})-[0-9a-f-]*)?$/.test(id) ? id : undefined
}

/**
 * The id that a caller means, who may have cut it.
 * @param startingWith finds the ids with a beginning
 * @returns what was given, if no id begins like that
 * @throws {ServiceError} `notAllowed`, listing the ids, if there are several
 */
export function wholeId(given: string, startingWith: (beginning: string) => readonly string[]): string {
  const beginning = beginningOf(given) ?? ''
  const found = beginning === '' ? [] : [...new Set(startingWith(beginning))].sort()
  const [first, ...others] = found
  if (first === undefined || found.includes(given)) return given
  if (others.length === 0) return first
  const ids = found.slice(0, LISTED).join(', ') + (found.length > LISTED ? ' and more' : '')
  throw new ServiceError('notAllowed', `Several ids begin with ${beginning}: ${ids}. Give more of it.`)
}
