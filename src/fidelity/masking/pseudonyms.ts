import { createHmac } from 'node:crypto'
import { isClosed } from './closed.js'

/** Forms of what stands for something, such as `key-1`. */
const OWN = /^([a-z]+)-(\d{1,9})(?:@example\.test|\.example\.test)?$/

/** What replaces texts by number. */
const KINDS = ['key', 'session', 'cookie', 'password', 'token', 'secret', 'name', 'project', 'user', 'host'] as const
export type Kind = (typeof KINDS)[number]

/** Kinds that no text of another kind can be. */
const SPACES: readonly string[] = ['id', 'account', 'host']

/** Whether a text is a pseudonym already, so that it stays. */
export function isPseudonym(text: string): boolean {
  return (KINDS as readonly (string | undefined)[]).includes(OWN.exec(text)?.[1])
}

/** How many numbers a kind has, unless its form has room for fewer or more. */
const NUMBERS = 999_999_999

/**
 * Replacements, one to one. The first text of a kind gets number 1, which says nothing of the text. With a key, the
 * number follows from the key and the text, so that it is the same in each run, and still says nothing without the key.
 */
export class Pseudonyms {
  readonly #key: string | undefined
  readonly #replacements = new Map<string, string>()
  readonly #numbers = new Map<string, number>()
  readonly #counts = new Map<string, number>()
  readonly #taken = new Map<string, Set<number>>()

  constructor(key?: string) {
    this.#key = key
  }

  /** What stands for a text; undefined: nothing yet. */
  find(text: string): string | undefined {
    return this.#replacements.get(`text ${text}`)
  }

  /**
   * What stands for a text.
   * @param write makes it of the number, by default as in `key-1`
   * @param most how many numbers there are
   */
  of(text: string, kind: Kind | 'id' | 'account', write?: (number: number) => string, most = NUMBERS): string {
    // A secret and a name are the same thing if they are the same text.
    const key = `${SPACES.includes(kind) ? kind : 'text'} ${text}`
    let replacement = this.#replacements.get(key)
    if (replacement === undefined) {
      const number = this.number(kind, text, most)
      replacement = write === undefined ? `${kind}-${number}` : write(number)
      this.#replacements.set(key, replacement)
    }
    return replacement
  }

  /** The number that stands for a text, from 1. */
  number(kind: string, text: string, most: number): number {
    const key = `${kind} ${text}`
    let number = this.#numbers.get(key)
    if (number === undefined) {
      number = this.#key === undefined ? (this.#counts.get(kind) ?? 0) + 1 : this.#numberOf(this.#key, kind, text, most)
      this.#numbers.set(key, number)
      this.reserve(kind, number)
    }
    return number
  }

  /** Notes that a pseudonym was read, so that it will not stand for something else. */
  keep(text: string): void {
    const own = OWN.exec(text)
    if (own !== null) this.reserve(own[1]!, Number(own[2]))
  }

  reserve(kind: string, number: number): void {
    if (this.#key !== undefined) this.#takenOf(kind).add(number)
    else this.#counts.set(kind, Math.max(number, this.#counts.get(kind) ?? 0))
  }

  #numberOf(key: string, kind: string, text: string, most: number): number {
    const taken = this.#takenOf(kind)
    let number = createHmac('sha256', key).update(`${kind} ${text}`).digest().readUIntBE(0, 6) % most
    // Two texts with the same number are rare.
    for (let tries = 0; taken.has(number + 1) && tries < taken.size; tries++) number = (number + 1) % most
    return number + 1
  }

  #takenOf(kind: string): Set<number> {
    let taken = this.#taken.get(kind)
    if (taken === undefined) this.#taken.set(kind, (taken = new Set()))
    return taken
  }
}

/** Whether a secret can be told from ordinary words, so that it can be replaced in any text. */
export function isDistinct(text: string): boolean {
  return !isClosed(text) && (text.length >= 8 || (text.length >= 6 && /[^A-Za-z]/.test(text) && /\D/.test(text)))
}

/** How a secret may be written. */
export function spellingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  return [
    secret,
    encodeURIComponent(secret),
    new URLSearchParams([['', secret]]).toString().slice(1),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString('base64'),
    bytes.toString('base64url')
  ]
}
