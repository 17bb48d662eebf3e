/**
 * Replaces control characters, which a terminal obeys, except those that lay out lines. The escapes are those of JSON,
 * where they mean the same.
 */
export function harmless(text: string): string {
  return text.replaceAll(
    /(?![\n\t])\p{Cc}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  )
}

/** Prints a text, which may come from a file or a service, as lines of the standard output. */
export function print(text: string): void {
  console.log(harmless(text))
}

/** Prints a text like {@link print}, on the standard error output. */
export function printError(text: string): void {
  console.error(harmless(text))
}
