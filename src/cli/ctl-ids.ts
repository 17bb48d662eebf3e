import { isObject, objectOf } from '../lib/json.js'
import { parsed } from '../lib/parsed.js'
import type { CommandFace } from '../test-control/control-call.js'
import { CallError, textOfCall } from './ctl-call.js'
import type { Target } from './target.js'

/** How many ids a message names. */
const MOST_NAMED = 5

/**
 * Finds the id that a text is the beginning of.
 * @returns undefined if there is none
 * @throws {CallError} if there are several
 */
export async function idBeginningWith(
  target: Target,
  { path, member, field }: NonNullable<CommandFace['ids']>,
  beginning: string
): Promise<string | undefined> {
  const { Result: result } = objectOf(parsed(await textOfCall(target, { method: 'GET', path })))
  const list = member === undefined || !isObject(result) ? result : result[member]
  const ids = (Array.isArray(list) ? list.filter(isObject) : []).map((item) => String(item[field]))
  const found = ids.filter((id) => id.startsWith(beginning))
  if (found.length < 2) return found[0]
  const named = found.slice(0, MOST_NAMED).join(', ')
  throw new CallError(1, `${beginning} is ambiguous: ${named}${found.length > MOST_NAMED ? ', …' : ''}`)
}
