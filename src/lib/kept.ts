/**
 * Makes a value on first use and keeps it. If that fails, the next caller tries again: a shortage, of file descriptors
 * for example, may have passed.
 */
export function kept<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    if (made !== undefined) return made
    const attempt = make()
    made = attempt
    attempt.catch(() => {
      made = undefined
    })
    return attempt
  }
}
