import { createHmac } from 'node:crypto'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Characters of a digest: 62 bits, so that collisions are unlikely. */
const LENGTH = 12
/** The interface limits texts to 256 characters. The pseudonym of a longer text is too long, too. */
const LONGEST_ALLOWED = 256

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** A default name: a kind and the first digits of an id. */
const DEFAULT_NAME = /^(workgroup|workspace|database|user)-([0-9a-f]{8})$/
const EMAIL = /^[^\s@<>"']{1,64}@[^\s@<>"']{1,190}$/
const HOST = /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63}){1,20}(?::\d{1,5})?$/i
const LOCAL_HOST = /^localhost(?::\d{1,5})?$/

/**
 * Replaces texts and numbers. A pseudonym depends only on the text and the key, so the same text always has the same
 * one. Its kind follows from the form of the text.
 */
export class Pseudonyms {
  /** @param regions labels that stay in names of hosts */
  constructor(
    private readonly key: string,
    private readonly regions: ReadonlySet<string>
  ) {}

  /** The pseudonym of a host, with or without a port. Leading labels stay separate if they are ids or regions. */
  ofHost(host: string): string {
    if (LOCAL_HOST.test(host)) return host
    const [, name = '', port = ''] = /^(\[[^\]]*\]|[^:]*)(:\d{1,5})?$/.exec(host) ?? [host, host]
    const address = name.replace(/^\[(.*)\]$/, '$1')
    if (isIP(address) !== 0) return name.replace(address, this.of(address)) + port
    const labels = name.toLowerCase().split('.')
    let kept = 0
    while (kept < labels.length - 1 && (UUID.test(labels[kept]!) || this.regions.has(labels[kept]!))) kept++
    const first = labels.slice(0, kept).map((label) => (UUID.test(label) ? this.of(label) : label))
    return [...first, `host-${this.#digest('host', labels.slice(kept).join('.'))}.example.test`].join('.') + port
  }

  /** A number with the same sign and number of digits and decimals, one to one. */
  ofNumber(number: number): number {
    const text = String(number)
    const [, sign = '', whole = '', decimals = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
    // Infinity, or a number with an exponent.
    if (whole === '') return Number(this.#digits(text.replaceAll(/\D/g, '') || '0'))
    const digits = this.#digits(whole + decimals)
    const masked = decimals === '' ? digits : `${digits.slice(0, whole.length)}.${digits.slice(whole.length)}`
    return Number(sign + masked)
  }

  /** The pseudonym of a text. An empty text stays empty. */
  of(text: string): string {
    if (text === '') return text
    if (UUID.test(text)) return this.#uuid(text.toLowerCase())
    const [, kind, digits] = DEFAULT_NAME.exec(text) ?? []
    if (digits !== undefined) return `${kind!}-${this.#hex(`id ${digits}`, 8)}`
    if (/^[\d.]+(?:\/\d{1,2})?$|^[0-9a-f:.]{2,45}(?:\/\d{1,3})?$/i.test(text)) {
      const address = maskAddress(text, (prefix) => this.#hmac(`address ${prefix}`))
      if (address !== undefined) return address
    }
    if (/^\d{1,40}$/.test(text)) return this.#digits(text)
    if (EMAIL.test(text)) return `user-${this.#digest('mail', text.toLowerCase())}@example.test`
    if (HOST.test(text)) return this.ofHost(text)
    const pseudonym = `${/\s/.test(text) ? 'text' : 'name'}-${this.#digest('text', text)}`
    return text.length > LONGEST_ALLOWED ? pseudonym.padEnd(LONGEST_ALLOWED + 1, '-') : pseudonym
  }

  /** The first 8 digits depend only on those of the id, because default names contain them. */
  #uuid(uuid: string): string {
    const rest = this.#hex(`id ${uuid}`, 24)
    const groups = [rest.slice(0, 4), `4${rest.slice(4, 7)}`, `8${rest.slice(7, 10)}`, rest.slice(10, 22)]
    return [this.#hex(`id ${uuid.slice(0, 8)}`, 8), ...groups].join('-')
  }

  /** Equally many digits, beginning with 0 only if the original does: otherwise, two could become the same. */
  #digits(digits: string): string {
    const [value, all] = [BigInt(digits), 10n ** BigInt(digits.length)]
    const padded = digits.length === 1 ? 0n : all / 10n
    const [lowest, size] = value < padded ? [0n, padded] : [padded, all - padded]
    const masked = permuted(value - lowest, size, (round) => this.#hmac(`digits ${digits.length} ${round}`))
    return String(masked + lowest).padStart(digits.length, '0')
  }

  #digest(kind: string, text: string): string {
    return this.#hmac(`${kind} ${text}`).readBigUInt64BE().toString(36).padStart(LENGTH, '0').slice(-LENGTH)
  }

  #hex(text: string, length: number): string {
    return this.#hmac(text).toString('hex').slice(0, length)
  }

  #hmac(text: string): Buffer {
    return createHmac('sha256', this.key).update(text).digest()
  }
}

/** Addresses that mean the same everywhere. */
const COMMON = ['127.0.0.1', '0.0.0.0', '::1', '::']

/**
 * Replaces an IP address or block and preserves prefixes (Crypto-PAn): a masked block contains exactly the masked
 * addresses of the block. Undefined if the text is neither.
 * @param digest a keyed hash of the bits before
 */
function maskAddress(text: string, digest: (prefix: string) => Buffer): string | undefined {
  const [address = '', length] = text.split('/')
  if (isIP(address) === 0) return undefined
  const parsed = ipaddr.parse(address)
  if (COMMON.includes(address)) return text
  const [, mapped] = /^::ffff:([\d.]+)$/i.exec(address) ?? []
  if (mapped !== undefined && Number(length ?? 128) >= 96) {
    const own = maskAddress(length === undefined ? mapped : `${mapped}/${Number(length) - 96}`, digest)!
    return `::ffff:${own.split('/')[0]!}${length === undefined ? '' : `/${length}`}`
  }
  const bytes = parsed.toByteArray()
  const network = length === undefined ? bytes.length * 8 : Math.min(Number(length), bytes.length * 8)
  // The host bits of a network stay 0. Those of an address in a network are masked, too.
  const isNetwork = bytes.every((byte, index) => (byte << Math.min(Math.max(network - index * 8, 0), 8)) % 256 === 0)
  const bits = isNetwork ? network : bytes.length * 8
  const masked = bytes.map((byte, index) => {
    const nodes = digest(`${bytes.length} ${bytes.slice(0, index).join('.')}`)
    // Each bit depends on those before it: the digest has a bit for each prefix of the byte.
    let result = 0
    for (let bit = 0; bit < 8; bit++) {
      const before = byte >> (8 - bit)
      const node = (1 << bit) - 1 + before
      const flips = index * 8 + bit < bits && ((nodes[node >> 3]! >> (node & 7)) & 1) === 1
      result = (result << 1) | (((byte >> (7 - bit)) & 1) ^ (flips ? 1 : 0))
    }
    return result
  })
  return ipaddr.fromByteArray(masked).toString() + (length === undefined ? '' : `/${length}`)
}

const ROUNDS = 6

/**
 * Permutes the numbers below a size: a Feistel network of two numbers of half the length with a keyed hash, repeated
 * until the result is below the size.
 */
function permuted(value: bigint, size: bigint, digest: (round: string) => Buffer): bigint {
  // At least the square root: the margin is larger than the error of rounding.
  const low = BigInt(Math.ceil(Math.sqrt(Number(size)) * (1 + 1e-9))) + 1n
  let result = value
  do {
    let [left, right] = [result / low, result % low]
    for (let round = 0; round < ROUNDS; round++)
      [left, right] = [right, (left + digest(`${round} ${right}`).readBigUInt64BE()) % low]
    result = left * low + right
  } while (result >= size)
  return result
}
