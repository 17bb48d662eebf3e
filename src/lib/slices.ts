/** Work done in slices: it yields wherever it can be interrupted, and the caller resumes it. */
export type Slices<T> = Generator<undefined, T, undefined>

/** Runs all slices at once. */
export function finish<T>(slices: Slices<T>): T {
  for (;;) {
    const { done, value } = slices.next()
    if (done === true) return value
  }
}
