/** Where a method was called: the frames of the stack from the caller's line on. */
export type CallSite = () => string

/** Where the frames of a stack begin. */
const FRAME = '\n    at '

/**
 * Notes where a method was called, for an error that is thrown later. Call it before the first `await`, after which the
 * caller's line is not on the stack any more.
 * @param method its frame and those above it are left out
 */
export function callSite(method: (...input: never[]) => unknown): CallSite {
  const here: { stack?: string } = {}
  Error.captureStackTrace(here, method)
  // The text is made when it is first read, which is rarely.
  return () => {
    const { stack = '' } = here
    const first = stack.indexOf(FRAME)
    return first < 0 ? '' : stack.slice(first)
  }
}

/** Gives an error a stack that begins where a method was called. */
export function thrownAt<E extends Error>(error: E, site: CallSite): E {
  error.stack = `${error.name}: ${error.message}${site()}`
  return error
}

/** An error that its message explains. It has no frames: only the caller's line could say more. */
export class BareError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message, options)
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** Takes the frames from an error of a class that is not ours, which its message explains. */
export function bare<E extends Error>(error: E): E {
  return thrownAt(error, () => '')
}

/** Whether an error has no frames. */
export function isBare(error: unknown): error is Error {
  return error instanceof Error && error.stack?.includes(FRAME) !== true
}
