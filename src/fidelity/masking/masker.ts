import { isSecret, MASKED } from '../../journal/mask.js'
import type { Exchange } from '../exchange.js'
import { isKept, isLeftOut } from './headers.js'
import { isPseudonym } from './pseudonyms.js'
import { decode, Texts } from './texts.js'
import { looksRandom } from './tokens.js'
import { Values } from './values.js'

/**
 * Replaces secrets, and what says whose they are, in exchanges: one to one, always in the same way, so that what
 * belongs together still does. Words of the interface, numbers and times stay. To mask what is masked changes nothing.
 */
export class Masker {
  readonly #texts: Texts = new Texts((value, depth) => this.#values.maskJson(value, depth))
  readonly #values: Values = new Values(this.#texts)

  /** Replaces the name of a host, with or without a port. */
  maskHost(host: string): string {
    return this.#texts.host(host)
  }

  /** Masks a text that is to be printed. */
  maskText(text: string): string {
    return this.#texts.mask(text)
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
    const sent = requestBody === undefined ? {} : { requestBody: this.#body(requestBody, requestHeaders, true) }
    const received = body === undefined ? {} : { body: this.#body(body, headers, false) }
    return { ...exchange, requestHeaders, headers, path, query, ...sent, ...received }
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
    // Only the product: comments tell the machine.
    if (name === 'user-agent') return texts.mask(value.split(' ')[0]!, 0, true)
    if (isKept(name)) return texts.mask(value)
    if (isSecret(name)) return this.#values.credential(name, value)
    if (isPseudonym(value)) return texts.mask(value)
    return looksRandom(value) ? texts.secret(value, 'key') : (texts.known(value) ?? MASKED)
  }

  #cookies(value: string, between: RegExp, joined: string): string {
    const mask = (cookie: string) => {
      const [, name = '', equals = '', secret = '', rest = ''] = /^([^=;]*)(=?)([^;]*)(.*)$/s.exec(cookie)!
      if (equals === '') return this.#texts.secret(name, 'cookie') + this.#texts.mask(rest)
      return `${this.#texts.mask(name)}=${this.#texts.secret(secret, 'cookie')}${this.#texts.mask(rest)}`
    }
    return value.split(between).map(mask).join(joined)
  }

  #path(path: string): string {
    return path
      .split('/')
      .map((segment) => this.#texts.maskEncoded(segment))
      .join('/')
  }

  #query(query: string): string {
    return query
      .split('&')
      .map((pair) => {
        const [, name = '', equals = '', value = ''] = /^([^=]*)(=?)(.*)$/s.exec(pair)!
        const field = decode(name)
        const masked = this.#texts.maskEncoded(value.replaceAll('+', '%20'), (plain) =>
          this.#values.maskSent(plain, field)
        )
        return this.#texts.maskEncoded(name) + equals + (masked === value.replaceAll('+', '%20') ? value : masked)
      })
      .join('&')
  }

  #body(body: unknown, headers: Readonly<Record<string, string>>, isSent: boolean): unknown {
    if (typeof body !== 'string') return this.#values.mask(body, isSent)
    return /form-urlencoded/i.test(headers['content-type'] ?? '') ? this.#query(body) : this.#texts.mask(body)
  }
}
