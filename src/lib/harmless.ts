/**
 * Replaces control characters, which a terminal obeys, except those that lay out lines. In JSON, they become escapes,
 * which mean the same.
 */
export function harmless(text: string): string {
  const isJson = /^\s*[[{]/.test(text)
  return text.replaceAll(/(?![\n\t])\p{Cc}/gu, (character) =>
    isJson ? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}` : '?'
  )
}
