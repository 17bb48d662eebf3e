/**
 * Calls a function with a value, or with the result of its promise. Unlike after an `await`, a value that is there is
 * used at once, so that its caller keeps its place in a queue.
 */
export function whenReady<T, R>(value: T | Promise<T>, use: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(use) : use(value)
}
