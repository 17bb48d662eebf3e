/** Work done in slices: it yields wherever it can be interrupted, and the caller resumes it. */
export type Slices<T> = Generator<undefined, T, undefined>

/** Collects the items of pages, each of which is read in a moment. */
export function* collect<T>(pages: Iterable<readonly T[]>, isTimeUp: () => boolean): Slices<T[]> {
  const all: (readonly T[])[] = []
  for (const page of pages) {
    all.push(page)
    if (isTimeUp()) yield
  }
  return all.flat()
}

/** Runs all slices at once. */
export function finish<T>(slices: Slices<T>): T {
  for (;;) {
    const { done, value } = slices.next()
    if (done === true) return value
  }
}
