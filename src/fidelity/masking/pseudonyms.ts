import { createHmac } from 'node:crypto'
import { isIP } from 'node:net'
import { maskAddress } from './addresses.js'
import { permuted } from './permutation.js'

/** Characters of a pseudonym after its kind: 62 bits, so that two texts do not meet. */
const LENGTH = 12
/** The interface limits texts to 256 characters; the pseudonym of a longer one is too long as well. */
const LONGEST_ALLOWED = 256
/** Pseudonyms that are kept, because the same texts come again and again. */
const MOST_KNOWN = 20_000

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** A default name: a kind and the first digits of an id. */
const MADE_OF_ID = /^(workgroup|workspace|database|user)-([0-9a-f]{8})$/
const EMAIL = /^[^\s@<>"']{1,64}@[^\s@<>"']{1,190}$/
const HOST = /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63}){1,20}(?::\d{1,5})?$/i
const LOCAL_HOST = /^localhost(?::\d{1,5})?$/

/**
 * Replaces texts and numbers. What replaces one follows from it and a key alone: nothing is stored, and the same text
 * has the same pseudonym wherever and whenever it occurs. Its form decides of which kind the pseudonym is.
 */
export class Pseudonyms {
  readonly #key: string
  readonly #regions: ReadonlySet<string>
  readonly #known = new Map<string, string>()

  /** @param regions labels of hosts that stay */
  constructor(key: string, regions: ReadonlySet<string>) {
    this.#key = key
    this.#regions = regions
  }

  /** The pseudonym of a text; the empty text stays. */
  of(text: string): string {
    if (text === '') return text
    const known = this.#known.get(text)
    if (known !== undefined) return known
    const pseudonym = this.#make(text)
    if (this.#known.size >= MOST_KNOWN) this.#known.clear()
    if (text.length <= LONGEST_ALLOWED) this.#known.set(text, pseudonym)
    return pseudonym
  }

  /** A host, with or without a port. Labels that are ids or regions keep their places. */
  ofHost(host: string): string {
    if (LOCAL_HOST.test(host)) return host
    const [, name = '', port = ''] = /^(\[[^\]]*\]|[^:]*)(:\d{1,5})?$/.exec(host) ?? [host, host]
    const address = name.replace(/^\[(.*)\]$/, '$1')
    if (isIP(address) !== 0) return name.replace(address, this.of(address)) + port
    const labels = name.toLowerCase().split('.')
    let kept = 0
    while (kept < labels.length - 1 && (UUID.test(labels[kept]!) || this.#regions.has(labels[kept]!))) kept++
    const first = labels.slice(0, kept).map((label) => (UUID.test(label) ? this.of(label) : label))
    return [...first, `host-${this.#digest('host', labels.slice(kept).join('.'))}.example.test`].join('.') + port
  }

  /** A number of the same sign, length and number of decimals, one to one. */
  ofNumber(number: number): number {
    const text = String(number)
    const [, sign = '', whole = '', decimals = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
    // Infinity and exponents: too large or too small for what an interface counts.
    if (whole === '') return Number(this.#digits(text.replaceAll(/\D/g, '') || '0'))
    const digits = this.#digits(whole + decimals)
    const masked = decimals === '' ? digits : `${digits.slice(0, whole.length)}.${digits.slice(whole.length)}`
    return Number(sign + masked)
  }

  #make(text: string): string {
    if (UUID.test(text)) return this.#uuid(text.toLowerCase())
    const [, kind, digits] = MADE_OF_ID.exec(text) ?? []
    if (digits !== undefined) return `${kind!}-${this.#hex(`id ${digits}`, 8)}`
    if (/^[\d.]+(?:\/\d{1,2})?$|^[0-9a-f:.]{2,45}(?:\/\d{1,3})?$/i.test(text)) {
      const address = maskAddress(text, (prefix) => this.#hmac(`address ${prefix}`))
      if (address !== undefined) return address
    }
    if (/^\d{1,40}$/.test(text)) return this.#digits(text)
    if (text.length <= LONGEST_ALLOWED && EMAIL.test(text))
      return `user-${this.#digest('mail', text.toLowerCase())}@example.test`
    if (text.includes('.') && HOST.test(text)) return this.ofHost(text)
    const pseudonym = `${/\s/.test(text) ? 'text' : 'name'}-${this.#digest('text', text)}`
    return text.length > LONGEST_ALLOWED ? pseudonym.padEnd(LONGEST_ALLOWED + 1, '-') : pseudonym
  }

  /** Names are made of the first digits of an id, so what replaces these depends on nothing else. */
  #uuid(uuid: string): string {
    const rest = this.#hex(`id ${uuid}`, 24)
    const groups = [rest.slice(0, 4), `4${rest.slice(4, 7)}`, `8${rest.slice(7, 10)}`, rest.slice(10, 22)]
    return [this.#hex(`id ${uuid.slice(0, 8)}`, 8), ...groups].join('-')
  }

  /** Digits of the same number, of which the first is none only if it was. */
  #digits(digits: string): string {
    const isPadded = digits.length > 1 && digits.startsWith('0')
    const lowest = isPadded || digits.length === 1 ? 0n : 10n ** BigInt(digits.length - 1)
    const size = 10n ** BigInt(digits.length) - lowest
    const masked = permuted(BigInt(digits) - lowest, size, (round) => this.#hmac(`digits ${digits.length} ${round}`))
    return String(masked + lowest).padStart(digits.length, '0')
  }

  #digest(kind: string, text: string): string {
    return this.#hmac(`${kind} ${text}`).readBigUInt64BE().toString(36).padStart(LENGTH, '0').slice(-LENGTH)
  }

  #hex(text: string, length: number): string {
    return this.#hmac(text).toString('hex').slice(0, length)
  }

  #hmac(text: string): Buffer {
    return createHmac('sha256', this.#key).update(text).digest()
  }
}
