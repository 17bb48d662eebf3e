import { MESSAGE_WORDS, NAME_WORDS, WORDS_WITH_DIGITS } from './words.js'

const LONGEST = 48
const MOST_WORDS = 6

/** Whether a text can be the name of a field or of a header: words, as programs join them. */
export function isPlainName(name: string): boolean {
  const words = wordsIn(name)
  // Letters drawn by lot change their case too often to be words.
  const letters = words.reduce((sum, { length }) => sum + length, 0)
  const isDrawn = words.length > 2 && letters / words.length < 3
  return words.length > 0 && words.every(isDrawn ? isKnownWord : isPlainWord)
}

/** Whether a text is made only of words of which names of fields are made. */
export function isMadeOfWords(name: string): boolean {
  const words = wordsIn(name)
  return words.length > 0 && words.every(isKnownWord)
}

/** @returns none if it has too many, or other characters */
function wordsIn(name: string): readonly string[] {
  if (name.length > LONGEST || !/^[$_]?[A-Za-z][\w-]*$/.test(name)) return []
  const words = name
    .replaceAll(/([a-z\d])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '')
  return words.length > MOST_WORDS ? [] : words
}

const isKnownWord = (word: string) =>
  MESSAGE_WORDS.has(word) || NAME_WORDS.has(word) || WORDS_WITH_DIGITS.has(word) || /^[a-z\d]$/.test(word)

/** Whether it can be spoken, or is an abbreviation. */
const isPlainWord = (word: string) =>
  isKnownWord(word) ||
  (/^[a-z]{1,15}$/.test(word) && (word.length <= 4 || (/[aeiouy]/.test(word) && !/[^aeiouy]{5}/.test(word))))
