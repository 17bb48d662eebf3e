import { createRequire } from 'node:module'
import { RecordingError } from './recording-error.js'

/** The part of JMESPath that is used here. */
interface Language {
  readonly compile: (expression: string) => unknown
  readonly search: (document: unknown, expression: string) => unknown
}

const require = createRequire(import.meta.url)

/** The expression is wrong. */
export class ExpressionError extends RecordingError {}

/**
 * Makes a query of a JMESPath expression. It can only read what it is given, and always comes to an end.
 * @throws {ExpressionError} if the expression is wrong, at once or when it meets a document that it does not fit
 */
export function queryOf(expression: string): (document: unknown) => unknown {
  const language = require('jmespath') as Language
  const explained = <T>(step: () => T): T => {
    try {
      return step()
    } catch (error) {
      throw new ExpressionError(`the expression is wrong: ${(error as Error).message}`, { cause: error })
    }
  }
  explained(() => language.compile(expression))
  return (document) => {
    const result = explained(() => language.search(withoutInherited(document), expression))
    return typeof result === 'function' ? null : result
  }
}

/**
 * Makes a condition of a JMESPath expression. It holds if the result is true, a number other than 0, or not empty.
 * @throws {ExpressionError} as {@link queryOf}
 */
export function conditionOf(expression: string): (state: object) => boolean {
  const query = queryOf(expression)
  return (state) => isTrue(query(state))
}

function isTrue(result: unknown): boolean {
  if (typeof result !== 'object' || result === null) return Boolean(result)
  return Object.keys(result).length > 0
}

/** The only member that the library asks its objects for. */
const BARE = Object.create(null, {
  hasOwnProperty: {
    value(this: object, name: string) {
      return Object.hasOwn(this, name)
    }
  }
}) as object

/** States of successive steps share most of their parts. */
const known = new WeakMap<object, object>()

/** A JSON value without what its objects inherit, which the library would take for members. */
function withoutInherited(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const found = known.get(value)
  if (found !== undefined) return found
  const bare: object = Array.isArray(value) ? value.map(withoutInherited) : (Object.create(BARE) as object)
  if (!Array.isArray(value))
    for (const [name, item] of Object.entries(value)) (bare as Record<string, unknown>)[name] = withoutInherited(item)
  known.set(value, bare)
  return bare
}
