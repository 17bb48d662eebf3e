/** The frames of the stack from the caller's line on. */
export type CallSite = () => string

const FRAME = '\n    at '

/**
 * Notes where a method was called, for an error that is thrown later. Call it before the first `await`, which removes
 * the caller from the stack.
 * @param method its frame and those above it are omitted
 */
export function callSite(method: (...input: never[]) => unknown): CallSite {
  const here: { stack?: string } = {}
  Error.captureStackTrace(here, method)
  // Formatting the stack takes time, so do it only when needed.
  return () => {
    const { stack = '' } = here
    const first = stack.indexOf(FRAME)
    return first < 0 ? '' : stack.slice(first)
  }
}

/** Gives an error a stack that begins at a call site. */
export function thrownAt<E extends Error>(error: E, site: CallSite): E {
  error.stack = `${error.name}: ${error.message}${site()}`
  return error
}

/** An error whose message says it all, so it has no frames. */
export class BareError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message, options)
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** Removes the frames from another class's error. */
export function bare<E extends Error>(error: E): E {
  return thrownAt(error, () => '')
}

export function isBare(error: unknown): error is Error {
  return error instanceof Error && error.stack?.includes(FRAME) !== true
}
