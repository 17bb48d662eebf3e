/** A part of a text: a word, space, or one other character. */
export const PART = /[\w-]+|\s+|[^\w\s-]/g

/** Texts that somebody has chosen, in lower case, so that messages that repeat them can be masked. */
export class ChosenTexts {
  readonly #texts = new Set<string>()
  /** Lengths of the texts that have several parts, by the first one. */
  readonly #lengths = new Map<string, Set<number>>()

  /** @param most maximum number of texts to remember; then it begins again */
  constructor(private readonly most = Infinity) {}

  add(text: string): void {
    if (text === '' || this.#texts.has(text)) return
    if (this.#texts.size >= this.most) {
      this.#texts.clear()
      this.#lengths.clear()
    }
    this.#texts.add(text)
    // The iterator stops after the first match: credentials can be long.
    const [first] = text.matchAll(PART).next().value!
    if (first.length === text.length) return
    const lengths = this.#lengths.get(first) ?? new Set()
    this.#lengths.set(first, lengths.add(text.length))
  }

  has(text: string): boolean {
    return this.#texts.has(text)
  }

  /** The lengths that a text with this first part can have, if it has several. */
  lengthsFrom(part: string): Iterable<number> {
    return this.#lengths.get(part) ?? []
  }
}
