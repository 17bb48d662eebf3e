/** The name of a field and the quote before its value, as in JSON, in code or in an attribute. */
const OPENING = /(?<![\w.-])([\w.-]{2,})(?:\\{0,8}["'])?\s{0,9}[:=]\s{0,9}(\\{0,8}["'])/g

/** Replaces the values of some fields in quotes, in a text that is not JSON as a whole and may be cut off. */
export function replaceQuoted(
  text: string,
  isWanted: (field: string) => boolean,
  replace: (value: string, field: string) => string
): string {
  let result = ''
  let from = 0
  for (const { 0: opening, 1: field, 2: quote, index } of text.matchAll(OPENING)) {
    // A field in a value that was replaced is gone.
    if (index < from || !isWanted(field!)) continue
    const start = index + opening.length
    const end = endOf(text, start, quote!)
    result += text.slice(from, start) + replace(text.slice(start, end), field!)
    from = end
  }
  return result + text.slice(from)
}

/**
 * Where a value ends. A quote in it has more backslashes before it than the quotes around it; fewer are those of a
 * text that all this is in.
 */
function endOf(text: string, start: number, quote: string): number {
  const around = quote.length - 1
  for (let at = text.indexOf(quote.at(-1)!, start); at !== -1; at = text.indexOf(quote.at(-1)!, at + 1)) {
    let first = at
    while (text[first - 1] === '\\') first--
    const backslashes = at - first
    if (backslashes < around) return first
    if (backslashes % (2 * around + 2) === around) return at - around
  }
  return text.length
}
