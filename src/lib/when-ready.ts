/** Calls a function with a value, or the result of its promise. Unlike with `await`, a value is used at once. */
export function whenReady<T, R>(value: T | Promise<T>, use: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(use) : use(value)
}
