const LONGEST = 48
const MOST_WORDS = 6

/** Whether a text can be the name of a field or of a header: words, as programs join them. */
export function isPlainName(name: string): boolean {
  if (name.length > LONGEST || !/^[$_]?[A-Za-z][\w-]*$/.test(name)) return false
  const parts = name.split(/[^A-Za-z\d]+/).map(wordsIn)
  return parts.flat().length <= MOST_WORDS && !parts.some(isDrawn) && parts.flat().every(isPlainWord)
}

/** The words of a part, whose case tells them apart. */
function wordsIn(part: string): string[] {
  const words = part.replaceAll(/([a-z\d])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2').toLowerCase()
  return words.split(' ').filter((word) => word !== '')
}

/** Letters drawn by lot change their case too often to be words. */
const isDrawn = (words: readonly string[]) => words.length > 2 && words.join('').length / words.length < 3

/** Whether it can be spoken, or is an abbreviation. */
const isPlainWord = (word: string) =>
  /^[a-z]{1,4}$/.test(word) || (/^[a-z]{5,15}$/.test(word) && /[aeiouy]/.test(word) && !/[^aeiouy]{5}/.test(word))
