type Method = (sandbox: number, ...rest: never[]) => unknown

/** A store bound to one sandbox: its methods without the sandbox key. */
export type Bound<Store> = {
  readonly [Name in keyof Store as Store[Name] extends Method ? Name : never]: Store[Name] extends (
    sandbox: number,
    ...rest: infer Rest
  ) => infer Result
    ? (...rest: Rest) => Result
    : never
}

/**
 * Makes bound views of a store. The statements stay in the store, prepared once. A view holds only the key, so making
 * one for a single call costs almost nothing.
 * @param store every method takes a sandbox key first
 */
export function binder<Store extends object>(store: Store): (sandbox: number) => Bound<Store> {
  class View {
    readonly sandbox: number
    constructor(sandbox: number) {
      this.sandbox = sandbox
    }
  }
  const methods = store as Record<string, (sandbox: number, ...rest: unknown[]) => unknown>
  for (const name of [...Object.keys(store), ...Object.getOwnPropertyNames(Object.getPrototypeOf(store))]) {
    if (name === 'constructor' || typeof methods[name] !== 'function') continue
    Object.defineProperty(View.prototype, name, {
      value(this: View, ...rest: unknown[]): unknown {
        return methods[name]!(this.sandbox, ...rest)
      }
    })
  }
  return (sandbox) => new View(sandbox) as unknown as Bound<Store>
}
