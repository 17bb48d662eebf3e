import { isClosed } from './closed.js'

/** Forms of what stands for something, such as `key-1`. */
const OWN = /^([a-z]+)-(\d{1,9})(?:@example\.test|\.example\.test)?$/

/** What replaces texts by number. */
const KINDS = ['key', 'session', 'cookie', 'password', 'token', 'secret', 'name', 'project', 'user', 'host'] as const
export type Kind = (typeof KINDS)[number]

/** Kinds that no text of another kind can be. */
const SPACES: readonly string[] = ['id', 'account', 'ipv4', 'ipv6', 'host']

/** Whether a text is a pseudonym already, so that it stays. */
export function isPseudonym(text: string): boolean {
  return (KINDS as readonly string[]).includes(OWN.exec(text)?.[1] ?? '')
}

/** Replacements, one to one: the first text of a kind gets number 1. Unlike a hash, a number says nothing of a text. */
export class Pseudonyms {
  readonly #replacements = new Map<string, string>()
  readonly #counts = new Map<string, number>()

  /** What stands for a text; undefined: nothing yet. */
  find(text: string): string | undefined {
    return this.#replacements.get(`text ${text}`)
  }

  /** What stands for a text. @param write makes it of the number, by default as in `key-1` */
  of(text: string, kind: Kind | 'id' | 'account' | 'ipv4' | 'ipv6', write?: (number: number) => string): string {
    // A secret and a name are the same thing if they are the same text.
    const key = `${SPACES.includes(kind) ? kind : 'text'} ${text}`
    const found = this.#replacements.get(key)
    if (found !== undefined) return found
    const number = (this.#counts.get(kind) ?? 0) + 1
    this.#counts.set(kind, number)
    const replacement = write === undefined ? `${kind}-${number}` : write(number)
    this.#replacements.set(key, replacement)
    return replacement
  }

  /** Notes that a pseudonym was read, so that it will not stand for something else. */
  keep(text: string): void {
    const [, kind, number] = OWN.exec(text) ?? []
    if (kind !== undefined) this.reserve(kind, Number(number))
  }

  reserve(kind: string, number: number): void {
    if (number > (this.#counts.get(kind) ?? 0)) this.#counts.set(kind, number)
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
