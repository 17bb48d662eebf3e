import { isTime } from './harmless.js'
import { MESSAGE_WORDS, TOLD_OF_CREDENTIALS } from './words.js'

/** A longer message is replaced as a whole. */
const MOST_WORDS = 300

/** It may be followed by one: only words that tell what happened to it stay then. */
const CREDENTIAL = new RegExp(
  'pass(?:word|wd|code|phrase)|secret|token|credential|identified by|' +
    String.raw`\b(?:pin|otp|psk|pwd|pw|code|key|login|seed|mnemonic|recovery)s?\b`,
  'i'
)

/** What a quote that begins ends with. */
const QUOTES: Readonly<Record<string, string>> = { '"': '"', "'": "'", '`': '`', '“': '”', '‘': '’', '«': '»' }
const OPENING = new Set([...Object.keys(QUOTES), '(', '[', '{', '<'])
const CLOSING = new Set([...Object.values(QUOTES), ...')]}>.,:;!?'.split('')])

/** What is known of words. */
interface Lexicon {
  /** Whether it is one of the interface, besides those of messages. */
  readonly isOfInterface: (word: string) => boolean
  /** Whether it is a value that the interface declares. */
  readonly isDeclared: (word: string) => boolean
  /** Whether somebody has chosen it, such as a password. */
  readonly isChosen: (word: string) => boolean
  readonly pseudonymOf: (word: string) => string
}

/**
 * Replaces the words of a message that can be variable parts: all but those of the interface and of messages, and also
 * these in quotes, after a colon at the end of a line, beside a credential, and where somebody has chosen them.
 */
export function maskMessage(text: string, { isOfInterface, isDeclared, isChosen, pseudonymOf }: Lexicon): string {
  const parts = text.split(/(\s+)/)
  if (parts.length > 2 * MOST_WORDS) return pseudonymOf(text)
  const hasCredential = CREDENTIAL.test(text)
  let isNamed = false
  let quote: string | undefined
  return parts
    .map((part, index) => {
      if (index % 2 === 1 || part === '') return part
      quote ??= QUOTES[/^[([{<]*(.)/su.exec(part)?.[1] ?? '']
      const isQuoted = quote !== undefined
      const [from, to] = wordIn(part, isChosen)
      if (quote !== undefined && part.includes(quote, 1)) quote = undefined
      const word = part.slice(from, to)
      return word === '' || stays(word, isQuoted, index)
        ? part
        : part.slice(0, from) + pseudonymOf(word) + part.slice(to)
    })
    .join('')

  function stays(word: string, isQuoted: boolean, index: number): boolean {
    const plain = word.toLowerCase()
    if (isChosen(plain)) return false
    if (hasCredential) {
      // It is named once; what comes later can be one.
      const isName = !isQuoted && !isNamed && CREDENTIAL.test(plain) && MESSAGE_WORDS.has(plain)
      isNamed ||= isName
      return isName || (!isQuoted && TOLD_OF_CREDENTIALS.has(plain))
    }
    if (/^\d{1,3}$/.test(word)) return !isNumber(parts[index - 2]) && !isNumber(parts[index + 2])
    if (isDeclared(word) || isTime(word)) return true
    return !isQuoted && !isValue(index) && (MESSAGE_WORDS.has(plain) || isOfInterface(plain))
  }

  /** Whether a part is all that follows a colon on its line. */
  function isValue(index: number): boolean {
    const isLast = index + 1 >= parts.length || parts[index + 1]!.includes('\n')
    return isLast && /[:=]$/.test(parts[index - 2] ?? '') && !parts[index - 1]!.includes('\n')
  }
}

const isNumber = (part = '') => /^\d+\W*$/.test(part)

/** Where the word in a part of a message begins and ends, between its quotes and punctuation. */
function wordIn(part: string, isChosen: (word: string) => boolean): [from: number, to: number] {
  let [from, to] = [0, part.length]
  const isWhole = () => isChosen(part.slice(from, to).toLowerCase())
  while (from < to && OPENING.has(part[from]!) && !isWhole()) from++
  while (to > from && CLOSING.has(part[to - 1]!) && !isWhole()) to--
  return [from, to]
}
