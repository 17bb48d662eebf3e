import { isSecret, MASKED } from '../../journal/mask.js'
import { OPERATION_ROUTES } from '../../lib/operation-routes.js'
import { parsed } from '../../lib/parsed.js'
import type { Exchange } from '../exchange.js'
import { percentDecoded } from '../percent-decoded.js'
import { isSentence } from './closed.js'
import { isKept, isLeftOut } from './headers.js'
import { isPseudonym } from './pseudonyms.js'
import { Texts } from './texts.js'
import { looksRandom } from './tokens.js'
import { Values } from './values.js'

/**
 * Replaces secrets, and what says whose they are, in exchanges: one to one, always in the same way, so that what
 * belongs together still does. Words of the interface, numbers and times stay. To mask what is masked changes nothing.
 */
export class Masker {
  readonly #texts: Texts
  readonly #values: Values

  /** @param key the same for files that are to be used together: what stands for a text follows from it */
  constructor(key?: string) {
    this.#texts = new Texts((value, depth) => this.#values.maskJson(value, depth), key)
    this.#values = new Values(this.#texts)
  }

  /** Replaces the name of a host, with or without a port. */
  maskHost(host: string): string {
    return this.#texts.host(host)
  }

  /** Masks an exchange as a whole. */
  maskExchange(exchange: Exchange): Exchange {
    this.#texts.learnIds(JSON.stringify(exchange))
    const { learned } = this.#texts
    const masked = this.#mask(exchange)
    // A secret or a name may also have occurred before the place that gave it away.
    return this.#texts.learned === learned ? masked : this.#mask(exchange)
  }

  #mask(exchange: Exchange): Exchange {
    const { requestBody, body } = exchange
    // Credentials first: they are named after their headers.
    const requestHeaders = this.#headers(exchange.requestHeaders)
    const headers = this.#headers(exchange.headers)
    const path = this.#path(exchange.path)
    const query = this.#query(exchange.query)
    return this.#withBodies(
      { ...exchange, requestHeaders, headers, path, query },
      this.#body(requestBody, requestHeaders, true),
      this.#body(body, headers, false)
    )
  }

  /** Bodies that cannot be masked are left out, as if they had been too large. */
  #withBodies(exchange: Exchange, sent: unknown, received: unknown): Exchange {
    const { requestBody, body, isBodyOmitted, omitted: before, ...rest } = exchange
    const omitted = {
      ...before,
      ...(requestBody === undefined || sent !== undefined ? {} : { requestBody: sizeOf(requestBody) }),
      ...(body === undefined || received !== undefined ? {} : { body: sizeOf(body) })
    }
    return {
      ...rest,
      ...(sent === undefined ? {} : { requestBody: sent }),
      ...(received === undefined ? {} : { body: received }),
      ...(Object.keys(omitted).length > 0 ? { isBodyOmitted: true, omitted } : isBodyOmitted && { isBodyOmitted })
    }
  }

  #headers(headers: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(
      Object.entries(headers)
        .filter(([name]) => !isLeftOut(name))
        .map(([name, value]) => [this.#texts.mask(name), this.#header(name, value)])
    )
  }

  #header(name: string, value: string): string {
    const texts = this.#texts
    if (value === '' || value === MASKED) return value
    if (name === 'cookie') return this.#cookies(value, /;\s*/, '; ')
    if (name === 'set-cookie') return this.#cookies(value, /,\s*(?=[^;,=\s]+=)/, ', ')
    if (name === 'host') return texts.host(value)
    if (name === 'location' || name === 'referer') return this.#url(value)
    // Only the product: comments tell the machine.
    if (name === 'user-agent') return texts.mask(value.split(' ')[0]!, 0, true)
    if (isKept(name)) return texts.mask(value)
    if (isSecret(name)) return this.#values.credential(name, value)
    if (isPseudonym(value)) return texts.mask(value)
    return looksRandom(value) ? texts.secret(value, 'key') : (texts.known(value) ?? MASKED)
  }

  #cookies(value: string, between: RegExp, joined: string): string {
    const mask = (_: string, name: string, equals: string, secret: string, attributes: string) => {
      const rest = this.#texts.mask(
        attributes.replace(DOMAIN, (_, start: string, domain: string) => start + this.#texts.host(domain))
      )
      if (equals === '') return this.#texts.secret(name, 'cookie') + rest
      return `${this.#texts.mask(name)}=${this.#texts.secret(secret, 'cookie')}${rest}`
    }
    const cookies = value.split(between).map((cookie) => cookie.replace(/([^=;]*)(=?)([^;]*)(.*)/s, mask))
    return cookies.join(joined)
  }

  /** Where a reply leads to: its query is one that a client will send. */
  #url(url: string): string {
    return url.replace(
      /((?:[a-z][a-z0-9+.-]*:)?\/\/[^/?#]*)?([^?#]*)(\?[^#]*)?(#.*)?/is,
      (_, origin: string | undefined, path: string, ...rest: (string | undefined)[]) => {
        // It may do without a scheme, but a host is told by one.
        const masked = this.#texts.mask(`x:${origin ?? ''}`).slice(2) + this.#path(path)
        const [query = '', fragment = ''] = rest
        return masked + [query, fragment].map((text) => text.slice(0, 1) + this.#query(text.slice(1))).join('')
      }
    )
  }

  /** Ids in a path are those of the client's resources, whatever they look like. */
  #path(path: string): string {
    return path
      .split('/')
      .map((segment, index, segments) =>
        this.#texts.maskEncoded(segment, (plain) =>
          isIdAfter(segments[index - 1], plain) ? this.#values.maskSent(plain, 'id') : this.#texts.mask(plain)
        )
      )
      .join('/')
  }

  #query(query: string): string {
    const mask = (_: string, name: string, equals: string, value: string) => {
      const encoded = value.replaceAll('+', '%20')
      const field = percentDecoded(name)
      const masked = this.#texts.maskEncoded(encoded, (plain) => this.#values.maskSent(plain, field))
      return this.#texts.maskEncoded(name) + equals + (masked === encoded ? value : masked)
    }
    const pairs = query.split('&').map((pair) => pair.replace(/([^=]*)(=?)(.*)/s, mask))
    return pairs.join('&')
  }

  /** @returns undefined for a text that is no JSON, and may hide a secret anywhere */
  #body(body: unknown, headers: Readonly<Record<string, string>>, isSent: boolean): unknown {
    if (typeof body !== 'string') return this.#values.mask(body, isSent)
    const type = headers['content-type'] ?? ''
    if (/form-urlencoded/i.test(type) && /^[^\s"'{}<>]*$/.test(body)) return this.#query(body)
    if (/event-stream/i.test(type)) return this.#events(body)
    return isSentence(body) || isPseudonym(body) ? this.#texts.mask(body) : undefined
  }

  /** An event stream: the data are JSON, or left out, and so is all that is more than a word. */
  #events(text: string): string {
    return text.replaceAll(/((?:data|event|id|retry)?: ?)?(.*)/g, (line, field: string | undefined, value: string) => {
      const isWord = /^(?:(?:event|id): ?\S+|retry: ?\d+)$/.test(line)
      return (field ?? '') + (isWord || isSentence(value) || isJson(value) ? this.#texts.mask(value) : MASKED)
    })
  }
}

/** The hosts that a cookie is sent to. */
const DOMAIN = /(;\s*domain\s*=\s*\.?)([^;\s]+)/i

/** Parts of the interface's paths, and those of them that an id follows. */
const SEGMENTS = Object.values(OPERATION_ROUTES).map(({ path }) => path.split('/'))
const LITERALS = new Set(SEGMENTS.flat())
const BEFORE_IDS = new Set<string | undefined>(
  SEGMENTS.flatMap((segments) => segments.filter((_, index) => segments[index + 1]?.startsWith('{')))
)

/** Whether a segment of a path is an id, after the one before it. */
const isIdAfter = (before: string | undefined, segment: string) => BEFORE_IDS.has(before) && !LITERALS.has(segment)

/** Only texts are left out. */
const sizeOf = (body: unknown) => Buffer.byteLength(String(body))

/** Whether a text is an object or a list in JSON. */
const isJson = (text: string) => typeof parsed(text) === 'object'
