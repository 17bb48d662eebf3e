/** Longer words are not compared, because a comparison takes time proportional to both lengths. */
const LONGEST_WORD = 64

/**
 * The known word that a misspelt one probably stands for, regardless of case.
 * @returns undefined if none is close, or if the word is known
 */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (word.length > LONGEST_WORD || known.includes(word)) return undefined
  let best: string | undefined
  let least = Math.max(1, Math.floor(word.length / 3)) + 1
  for (const candidate of known) {
    if (Math.abs(word.length - candidate.length) >= least) continue
    const edits = editsBetween(word.toLowerCase(), candidate.toLowerCase())
    if (edits >= least) continue
    least = edits
    best = candidate
  }
  return best
}

/** The end of a sentence about an unknown word; empty if no known word is close. */
export function didYouMean(found: string | undefined): string {
  return found === undefined ? '' : `; did you mean ${found}?`
}

/** In a longer list, a word is hard to find. */
const SHORT_LIST = 16

/** The error for a value that is not one of some words; if these are many, suggests one. */
export function mustBeOneOf(value: unknown, known: readonly string[]): string {
  const meant = typeof value === 'string' && known.length > SHORT_LIST ? nearest(value, known) : undefined
  return `must be one of ${known.join(', ')}${meant === undefined ? '' : ` (did you mean ${meant}?)`}`
}

/** The number of letters to insert, remove, replace or swap with the next one to get from one word to another. */
function editsBetween(from: string, to: string): number {
  let before: number[] = []
  let above = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      // False for the first letters, before which there is only undefined.
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      current.push(
        Math.min(
          above[column]! + 1,
          current[column - 1]! + 1,
          above[column - 1]! + (isSame ? 0 : 1),
          isSwapped ? before[column - 2]! + 1 : Infinity
        )
      )
    }
    ;[before, above] = [above, current]
  }
  return above[to.length]!
}
