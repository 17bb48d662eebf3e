/** Work that is done in slices: it yields where it can be interrupted, and wants to be gone on with. */
export type Slices<T> = Generator<undefined, T, undefined>

/** Does all of some work at once. */
export function finish<T>(slices: Slices<T>): T {
  for (;;) {
    const { done, value } = slices.next()
    if (done === true) return value
  }
}
