/** Escapes control characters as JSON does, because a terminal obeys them; line breaks and tabs stay. */
export function harmless(text: string): string {
  return text.replaceAll(
    /(?![\n\t])\p{Cc}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  )
}

export function print(text: string): void {
  printColored(harmless(text))
}

/** Prints a text that may have colours, and is otherwise harmless. */
export function printColored(text: string): void {
  console.log(text)
}

export function printError(text: string): void {
  console.error(harmless(text))
}

const COLORS = { red: 31, green: 32, yellow: 33, dim: 2 } as const
export type Color = keyof typeof COLORS

/** Colours a text. Functions that make text harmless would escape the colour. */
export const paint = (text: string, color: Color) => `\x1b[${COLORS[color]}m${text}\x1b[0m`
