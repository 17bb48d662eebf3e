import { ServiceError } from '../../interface/errors.js'
import { type CallSite, callSite, isBare, thrownAt } from '../../lib/call-site.js'
import { withOptionNames } from '../../options.js'

type Method = (...input: unknown[]) => unknown

/**
 * Makes methods throw the errors that their caller causes at the caller's line, with the names that a program knows.
 * @param methods methods, and objects of methods; other values stay unchanged
 */
export function fromCaller<T extends object>(methods: T): T {
  const members = methods as Record<string | symbol, unknown>
  const names = Reflect.ownKeys(methods)
  return Object.fromEntries(names.map((name) => [name, memberFromCaller(members[name])])) as T
}

function memberFromCaller(member: unknown): unknown {
  if (typeof member === 'object' && member !== null) return fromCaller(member)
  if (typeof member !== 'function') return member
  const called = (...input: unknown[]): unknown => throwingAt(callSite(called), () => (member as Method)(...input))
  return called
}

/** Runs a step whose errors, except for bugs, are thrown at a line of the caller. */
export function throwingAt<T>(site: CallSite, step: () => T): T {
  const fail = (error: unknown): never => {
    throw isBare(error) ? thrownAt(inTermsOfProgram(error), site) : error
  }
  try {
    const result = step()
    return result instanceof Promise ? (result.catch(fail) as T) : result
  } catch (error) {
    return fail(error)
  }
}

/** Makes an error of HTTP name options and arguments instead of flags and the body. */
function inTermsOfProgram(error: Error): Error {
  if (error instanceof ServiceError && error.condition === 'invalidBody')
    error.message = error.message.replaceAll(/(?<=[:;] )the body(?= )/g, 'the argument')
  return forProgram(error)
}

/** Makes an error name options as a program knows them. */
export function forProgram<T>(error: T): T {
  if (!(error instanceof Error)) return error
  const { message, stack } = error
  error.message = withOptionNames(message)
  if (error.message === message) return error
  // The stack begins with the message.
  if (stack !== undefined) error.stack = stack.replace(message, () => error.message)
  if (error instanceof ServiceError) {
    const details = error.details.map((detail) => ({ ...detail, Reason: withOptionNames(detail.Reason) }))
    Object.assign(error, { details })
  }
  return error
}
