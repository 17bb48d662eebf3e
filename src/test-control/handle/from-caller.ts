import { type CallSite, callSite, isBare, thrownAt } from '../../lib/call-site.js'

type Method = (...input: unknown[]) => unknown

/**
 * Makes methods throw the errors that their caller causes at the caller's line.
 * @param methods methods, objects of methods, and other values, which stay what they are
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

/** Runs a step whose errors are thrown at a line of the caller, unless they are mistakes of ours. */
export function throwingAt<T>(site: CallSite, step: () => T): T {
  const fail = (error: unknown): never => {
    throw isBare(error) ? thrownAt(error, site) : error
  }
  try {
    const result = step()
    return result instanceof Promise ? (result.catch(fail) as T) : result
  } catch (error) {
    return fail(error)
  }
}
