import { createRequire } from 'node:module'
import { RecordingError } from './recording-error.js'

/** The part of the package jmespath that is used here. */
interface Language {
  readonly compile: (expression: string) => unknown
  readonly search: (document: unknown, expression: string) => unknown
}

const require = createRequire(import.meta.url)

/** The expression is not valid. */
export class ExpressionError extends RecordingError {}

/**
 * Compiles a JMESPath expression, which can only read its document and always terminates.
 * @throws {ExpressionError} if it is not valid; the query throws one if the document has a value of the wrong type
 */
export function queryOf(expression: string): (document: unknown) => unknown {
  const language = require('jmespath') as Language
  const explained = <T>(step: () => T): T => {
    try {
      return step()
    } catch (error) {
      throw new ExpressionError(`the expression is not valid: ${(error as Error).message}`, { cause: error })
    }
  }
  explained(() => JSON.stringify(language.compile(expression), assertWhole))
  return (document) => {
    const result = explained(() => language.search(withoutInherited(document), expression))
    return typeof result === 'function' ? null : result
  }
}

/** The package compiles `a.` to a tree that lacks a part, and fails when it needs that. */
function assertWhole(_name: string, part: unknown): unknown {
  if (part === undefined) throw new Error('a name is missing after a dot')
  return part
}

/**
 * {@link queryOf}, as a condition that holds if the result is true, a number other than 0, or not empty.
 * @throws {ExpressionError} as {@link queryOf}
 */
export function conditionOf(expression: string): (state: object) => boolean {
  const query = queryOf(expression)
  return (state) => {
    const result = query(state)
    return typeof result === 'object' && result !== null ? Object.keys(result).length > 0 : Boolean(result)
  }
}

/** Has the only inherited member that the package needs. */
const BARE = Object.create(null, {
  hasOwnProperty: {
    value(this: object, name: string) {
      return Object.hasOwn(this, name)
    }
  }
}) as object

/** Copies by their originals: the states of successive steps share most of their parts. */
const known = new WeakMap<object, object>()

/** Copies a JSON value without inherited members, which the package would mistake for fields. */
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
