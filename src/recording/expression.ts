import { createRequire } from 'node:module'
import { loadLate } from '../lib/late-modules.js'
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
  const language = loadLate(() => require('jmespath') as Language)
  const explained = <T>(step: () => T): T => {
    try {
      return step()
    } catch (error) {
      throw new ExpressionError(`the expression is wrong: ${(error as Error).message}`, { cause: error })
    }
  }
  explained(() => language.compile(expression))
  return (document) => explained(() => language.search(document, expression))
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
