/** Escapes control characters as JSON does, because a terminal obeys them; line breaks and tabs stay. */
export function harmless(text: string): string {
  return text.replaceAll(
    /(?![\n\t])\p{Cc}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  )
}

export function print(text: string): void {
  console.log(harmless(text))
}

export function printError(text: string): void {
  console.error(harmless(text))
}
