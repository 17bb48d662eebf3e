import { ServiceError } from './errors.js'

/** Maximum number of ids in a message. */
const LISTED = 5

/**
 * Completes an id that the caller may have cut.
 * @returns the given text if no id begins like that
 * @throws {ServiceError} `notAllowed`, listing the ids, if several do
 */
export function wholeId(given: string, startingWith: (beginning: string) => readonly string[]): string {
  const beginning = beginningOf(given)
  const found = beginning === '' ? [] : [...new Set(startingWith(beginning))].sort()
  const [first, ...others] = found
  if (first === undefined || found.includes(given)) return given
  if (others.length === 0) return first
  const ids = found.slice(0, LISTED).join(', ') + (found.length > LISTED ? ' and more' : '')
  throw new ServiceError('notAllowed', `Several ids begin with ${beginning}: ${ids}. Give more characters.`)
}

/** The text before the ellipsis of a table's cut id, or at least four characters of a UUID; otherwise empty. */
function beginningOf(id: string): string {
  if (id.endsWith('…')) return id.slice(0, -1)
  return id.length < 36 && /^[0-9a-f]{4,8}(?:(?<=^.{8})-[0-9a-f-]*)?$/.test(id) ? id : ''
}
