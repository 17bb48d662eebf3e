import { MASKED } from '../../journal/mask.js'
import { percentDecoded } from '../percent-decoded.js'
import { maskAddress } from './addresses.js'
import { replaceBase64 } from './base64.js'
import { isClosed } from './closed.js'
import { Dictionary } from './dictionary.js'
import { HANDED_OVER_IN_URL, isHandedOver, isSecretField, kindOfSecret } from './fields.js'
import { isNobodys, maskHost } from './hosts.js'
import { ACCOUNT, BARE_UUID, maskAccount, maskBareUuid, maskUuid, UUID } from './ids.js'
import { isDistinct, isPseudonym, type Kind, Pseudonyms, spellingsOf } from './pseudonyms.js'
import { replaceQuoted } from './quoted.js'
import { replaceRandom, replaceTokens } from './tokens.js'

/** How deep JSON in texts, base64 and percent-encoding are looked into. What is deeper is left out. */
const DEEPEST = 8

// Each begins where it cannot have begun earlier, or is short, so that a long text takes no longer than its length.
const URL_AUTHORITY = /(\b[a-z][a-z0-9+.-]{0,20}:\/\/)((?:[^\s/?#"'<>\\@]*@)*)([^\s/?#"'<>\\@,;)]+)/gi
const EMAIL =
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+[\p{L}\p{N}]{2,}/gu
// With the length of a prefix, if there is one
const IPV4 = /(?<![\w.]|[A-Za-z_]-)((?:\d{1,3}\.){3}\d{1,3})(?!\w|-[A-Za-z_]|\.\w)(\/\d{1,3}(?!\w))?/g
const IPV6 = /(?<![\w:.])([0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}(?:\.\d{1,3}){0,3})(?![\w:])(\/\d{1,3}(?!\w))?/gi
const ARN = /\b(arn:[a-z-]{1,20}:[a-z0-9-]{0,40}:[a-z0-9-]{0,40}:)(\d{12}|):([^\s"'<>,;]+)/g
/** The beginning of an ARN that no kind follows, but a name: that of a bucket, of a topic, of an interface. */
const WITHOUT_KIND = /^arn:[^:]*:(?:s3::$|sns:|execute-api:)/
const CLOUD_RESOURCE = /\b(projects|resourceGroups|storageAccounts|buckets)\/([A-Za-z0-9][\w.-]{2,})/g
/** A field and its value, which is not in quotes. */
const ASSIGNED = /(?<![\w.-])([\w.-]{2,})=(?!\\*["'])([^\s"'&,;]+)/g
const PART = /[^\s"'<>&=/?#;,]+/g
/** A telephone number: with a plus, or with its area in brackets or before a hyphen or a slash. */
const PHONES = [
  String.raw`\+\d(?:[ ()./-]{0,2}\d){7,14}`,
  String.raw`\(\d{2,5}\) ?\d{2,4}(?:[ -]\d{2,6}){0,3}`,
  String.raw`0\d{2,5}[/-]\d{5,9}`
]
const PHONE = new RegExp(String.raw`(?<![\w+./-])(?:${PHONES.join('|')})(?![\w-])`, 'g')
const SCHEME = /\b(bearer|basic|apikey|token|digest)(\s{1,9})([\w+/=.~:-]{6,})/gi
const PREFIX = /(?<![0-9a-z])[0-9a-f]{8}(?![0-9a-z]|-0000-)/g

/**
 * Masks texts: what can be told by its form, and everywhere what was once seen in a place that told it.
 */
export class Texts {
  readonly #pseudonyms: Pseudonyms
  readonly #secrets = new Dictionary(false)
  readonly #names = new Dictionary(true)
  readonly #hosts = new Dictionary(true)
  /** First digits of ids, of which services make names. */
  readonly #prefixes = new Map<string, string>()
  readonly #maskedPrefixes = new Set<string | undefined>()
  readonly #maskJson: (value: unknown, depth: number) => unknown

  /**
   * @param maskJson masks JSON that was found in a text
   * @param key of the pseudonyms
   */
  constructor(maskJson: (value: unknown, depth: number) => unknown, key: string | undefined) {
    this.#maskJson = maskJson
    this.#pseudonyms = new Pseudonyms(key)
  }

  /** How much was learned so far: what is masked may differ only if this has changed. */
  get learned(): number {
    return this.#secrets.size + this.#names.size + this.#hosts.size
  }

  /** Notes the ids in a text: names may be made of their first digits. */
  learnIds(text: string): void {
    for (const [uuid] of text.matchAll(UUID)) {
      const prefix = uuid.slice(0, 8).toLowerCase()
      const masked = maskUuid(uuid, this.#pseudonyms).slice(0, 8)
      // Two ids with the same first digits cannot be told apart; the first one counts.
      if (!this.#prefixes.has(prefix)) this.#prefixes.set(prefix, masked)
      this.#maskedPrefixes.add(masked)
    }
  }

  /** Whether a masked text is a name that a service made of a word and the first digits of an id. */
  isMadeOfId(masked: string): boolean {
    return this.#maskedPrefixes.has(/^(?:[a-z]+[-_])+([0-9a-f]{8})$/.exec(masked)?.[1])
  }

  /** Masks the name of a field. Its words are those of the interface, unless as a whole it is a name. */
  field(name: string): string {
    const isOfWords = /^[a-z](?:[_-]?[A-Z]?[a-z])*$/.test(name)
    return isOfWords ? (this.#names.find(name) ?? this.#withoutNames(name, 0, false)) : this.mask(name)
  }

  /** @param isVersion whether four numbers are a version here, not an address */
  mask(text: string, depth = 0, isVersion = false): string {
    return this.#names.replaceIn(this.#withoutNames(text, depth, isVersion))
  }

  #withoutNames(text: string, depth: number, isVersion: boolean): string {
    if (isPseudonym(text)) return this.#own(text)
    if (depth === DEEPEST) return MASKED
    if (/^\s*[[{"]/.test(text)) {
      const masked = this.#json(text, depth)
      if (masked !== undefined) return masked
    }
    // A password in a URL may be percent-encoded, and what is before and after it is not a part of it.
    let masked = this.#urls(this.#fields(this.#secrets.replaceIn(text)))
    if (masked.includes('%')) masked = masked.replaceAll(PART, (part) => this.#part(part, depth))
    masked = replaceBase64(masked, (plain) => this.mask(plain, depth + 1))
    masked = this.#hosts.replaceIn(this.#byForm(masked, isVersion))
    return masked.replaceAll(PREFIX, (prefix) => this.#prefixes.get(prefix) ?? prefix)
  }

  /** What can be told by its form. */
  #byForm(text: string, isVersion: boolean): string {
    let masked = text.replaceAll(SCHEME, (whole, scheme: string, gap: string, secret: string) =>
      (/\d/.test(secret) && !isClosed(secret)) || ofBasic(scheme, secret) !== undefined
        ? `${scheme}${gap}${this.credential(scheme, secret)}`
        : whole
    )
    masked = this.#ids(replaceTokens(masked, (token) => this.secret(token, 'token')))
    const address = (_: string, found: string, prefix?: string) =>
      maskAddress(found, this.#pseudonyms, prefix === undefined ? undefined : Number(prefix.slice(1))) + (prefix ?? '')
    if (!isVersion) masked = masked.replaceAll(IPV4, address).replaceAll(IPV6, address)
    masked = replaceRandom(masked, (token) => this.secret(token, 'token'))
    return masked.replaceAll(PHONE, (phone) => this.#pseudonyms.of(phone, 'name'))
  }

  /** Masks a text that is percent-encoded as a whole. It stays as it is written if nothing is masked in it. */
  maskEncoded(text: string, mask: (plain: string) => string = (plain) => this.mask(plain)): string {
    const plain = percentDecoded(text)
    const masked = mask(plain)
    return masked === plain ? text : encodeURIComponent(masked)
  }

  /** What stands for a text that was seen before in a place that told what it is. */
  known(text: string): string | undefined {
    return isDistinct(text) ? this.#pseudonyms.find(text) : undefined
  }

  /** The name of a host, with or without a port. */
  host(host: string): string {
    return this.#names.replaceIn(maskHost(host, this.#pseudonyms, this.#hosts))
  }

  /** A name that people choose. It is replaced everywhere from now on. */
  name(name: string): string {
    if (isPseudonym(name)) return this.#own(name)
    const replacement = this.#pseudonyms.of(name, 'name')
    this.#names.add(name, replacement)
    return replacement
  }

  /** A secret. It is replaced everywhere from now on. */
  secret(secret: string, kind: Kind): string {
    if (isPseudonym(secret)) return this.#own(secret)
    if (secret === MASKED || secret === '') return secret
    const replacement = this.#pseudonyms.of(secret, kind)
    if (isDistinct(secret)) for (const spelling of spellingsOf(secret)) this.#secrets.add(spelling, replacement)
    return replacement
  }

  /** What follows the scheme in a header such as `Authorization`. */
  credential(scheme: string, secret: string): string {
    const basic = ofBasic(scheme, secret)
    if (basic === undefined) return this.secret(secret, 'session')
    const [user, password] = basic
    // A key may stand in either place.
    return Buffer.from(`${this.secret(user, 'key')}:${this.secret(password, 'password')}`).toString('base64')
  }

  /** The number of an account, if it is one. */
  account(text: string): string {
    return text.replaceAll(ACCOUNT, (account) => maskAccount(account, this.#pseudonyms))
  }

  #urls(text: string): string {
    if (!text.includes('://')) return text
    return text.replaceAll(
      URL_AUTHORITY,
      (_, scheme: string, user: string, host: string) => scheme + this.#user(user) + this.host(host)
    )
  }

  /** Fields whose values are secret, in a text that is not JSON as a whole. */
  #fields(text: string): string {
    if (!/[=:]/.test(text)) return text
    const mask = (value: string, field: string) => this.secret(value, kindOfSecret(field))
    return replaceQuoted(text, isSecretField, mask)
      .replaceAll(ASSIGNED, (whole, field: string, value: string) =>
        isSecretField(field) ? `${field}=${mask(value, field)}` : whole
      )
      .replaceAll(HANDED_OVER_IN_URL, (whole, before: string, parameter: string, value: string) =>
        isHandedOver(parameter, value) ? `${before}${parameter}=${this.secret(percentDecoded(value), 'token')}` : whole
      )
  }

  #ids(text: string): string {
    const pseudonyms = this.#pseudonyms
    const masked = text
      .replaceAll(EMAIL, (address) => this.#email(address))
      .replaceAll(ARN, (_, start: string, account: string, resource: string) => {
        const masked = this.#resource(resource, !WITHOUT_KIND.test(start + account))
        return `${start}${account === '' ? '' : maskAccount(account, pseudonyms)}:${masked}`
      })
      .replaceAll(CLOUD_RESOURCE, (_, kind: string, name: string) => `${kind}/${this.#project(name)}`)
      .replaceAll(UUID, (uuid) => maskUuid(uuid, pseudonyms))
      .replaceAll(BARE_UUID, (uuid) => maskBareUuid(uuid, pseudonyms))
    return this.account(masked)
  }

  #json(text: string, depth: number): string | undefined {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return undefined
    }
    const masked = JSON.stringify(this.#maskJson(value, depth + 1))
    return masked === JSON.stringify(value) ? text : masked
  }

  /** A part of a text that may be percent-encoded. */
  #part(part: string, depth: number): string {
    return this.maskEncoded(part, (plain) => (plain === part ? part : this.mask(plain, depth + 1)))
  }

  /** @param user what stands before the host of a URL, with an @ at its end */
  #user(user: string): string {
    return user.replace(/([^:]*)(?::(.*))?@/s, (_, name: string, password?: string) => {
      const masked = password === undefined ? '' : `:${this.secret(percentDecoded(password), 'password')}`
      return `${this.secret(percentDecoded(name), 'user')}${masked}@`
    })
  }

  /** The end of an ARN: kinds stay, and names are replaced. */
  #resource(resource: string, hasKind: boolean): string {
    return resource
      .split(/([/:])/)
      .map((part, index, { length }) =>
        (hasKind && index === 0 && length > 1) || /^[/:*]?$/.test(part) || isClosed(part) ? part : this.name(part)
      )
      .join('')
  }

  #email(address: string): string {
    const at = address.indexOf('@')
    const name = address.slice(0, at)
    if (!isPseudonym(name) || !isNobodys(address.slice(at + 1)))
      return this.#pseudonyms.of(address.toLowerCase(), 'user', (count) => `user-${count}@example.test`)
    // It is masked, or a user and a masked host, as they stand in a URL.
    this.#own(name)
    return address
  }

  #project(name: string): string {
    return isPseudonym(name) || isClosed(name) ? name : this.#pseudonyms.of(name, 'project')
  }

  #own(text: string): string {
    this.#pseudonyms.keep(text)
    return text
  }
}

/** User and password of basic authentication; undefined: it is another scheme, or something else. */
function ofBasic(scheme: string, secret: string): [user: string, password: string] | undefined {
  const plain = Buffer.from(secret, 'base64').toString()
  const colon = plain.indexOf(':')
  return scheme.toLowerCase() === 'basic' && colon !== -1 ? [plain.slice(0, colon), plain.slice(colon + 1)] : undefined
}
