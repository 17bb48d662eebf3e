/**
 * Makes something when it is first asked for, and keeps it. What could not be made is made again for the next who asks:
 * a shortage, of file descriptors for example, may have passed by then.
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
