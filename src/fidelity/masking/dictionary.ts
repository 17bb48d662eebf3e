/** Number of first characters that words are found by. */
const PREFIX = 3

const WORD_CHARACTER = /[\p{L}\p{N}]/u

/** Texts that are replaced wherever they occur in others. There may be many, and they grow in number all the time. */
export class Dictionary {
  readonly #replacements = new Map<string, string>()
  /** Words by their first characters, the longest first: one may contain another. */
  readonly #byPrefix = new Map<string, string[]>()
  readonly #isBounded: boolean

  /** @param isBounded whether a word counts only where no letter or digit is beside it */
  constructor(isBounded: boolean) {
    this.#isBounded = isBounded
  }

  /** Number of words. */
  get size(): number {
    return this.#replacements.size
  }

  /** Adds a word, unless it is too short. */
  add(word: string, replacement: string): void {
    if (word.length < PREFIX || word === replacement || this.#replacements.has(word)) return
    this.#replacements.set(word, replacement)
    const prefix = word.slice(0, PREFIX)
    const words = [...(this.#byPrefix.get(prefix) ?? []), word]
    this.#byPrefix.set(
      prefix,
      words.sort((a, b) => b.length - a.length)
    )
  }

  /** The replacement of a text as a whole; undefined: it is none of the words. */
  find(text: string): string | undefined {
    return this.#replacements.get(text)
  }

  replaceIn(text: string): string {
    if (this.#replacements.size === 0) return text
    let result = ''
    let from = 0
    for (let i = 0; i <= text.length - PREFIX; i++) {
      const word = this.#wordAt(text, i)
      if (word === undefined) continue
      result += text.slice(from, i) + this.#replacements.get(word)!
      from = i + word.length
      i = from - 1
    }
    return result + text.slice(from)
  }

  #wordAt(text: string, at: number): string | undefined {
    const words = this.#byPrefix.get(text.slice(at, at + PREFIX))
    if (words === undefined) return undefined
    if (!this.#isBounded) return words.find((word) => text.startsWith(word, at))
    if (at > 0 && WORD_CHARACTER.test(text[at - 1]!)) return undefined
    return words.find((word) => text.startsWith(word, at) && !WORD_CHARACTER.test(text.charAt(at + word.length)))
  }
}
