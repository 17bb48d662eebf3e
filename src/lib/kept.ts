/** Makes a value on first use and keeps it. After a failure, such as a lack of file descriptors, tries again. */
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
