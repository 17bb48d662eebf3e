import { parsed } from '../../lib/parsed.js'
import type { Exchange } from '../exchange.js'
import { percentDecoded } from '../percent-decoded.js'
import { FORMS, type Kind, type Vocabulary } from './forms.js'
import { CONNECTION_HEADERS, harmlessPart, isPlainName, isTime } from './harmless.js'
import { Pseudonyms } from './pseudonyms.js'
import { MESSAGE_WORDS } from './words.js'

/** What masking depends on, as plain data. */
export interface MaskSettings {
  /** What replaces a text follows from it and the text. */
  readonly key: string
  /** Names of fields and headers whose values stay, and templates of paths, which begin with a slash. */
  readonly keep: readonly string[]
  readonly vocabulary: Vocabulary
}

/** Below this, a number tells nothing. */
const SMALL = 1000
/** A longer message is replaced as a whole. */
const MOST_WORDS = 300
/** Secrets that are remembered, so that words of the interface are not kept where they are one of them. */
const MOST_SECRETS = 10_000
/** What `--dry-run` lists of the texts that stay. */
const MOST_FIELDS = 200
const MOST_TEXTS = 8

/** Where a value is: whether its field can be known, and the schema of the object that it is in. */
interface Place {
  readonly isKnown: boolean
  readonly schema?: string | undefined
}

/**
 * Masks exchanges: keeps what is known to be harmless, and replaces every other text and number one to one, so that a
 * comparison loses nothing.
 */
export class Masker {
  readonly #pseudonyms: Pseudonyms
  readonly #kinds: ReadonlyMap<string, Kind>
  readonly #schemas: ReadonlyMap<string, string>
  readonly #texts: ReadonlySet<string>
  readonly #names: ReadonlySet<string>
  readonly #words: ReadonlySet<string>
  readonly #keep: ReadonlySet<string>
  readonly #queries: ReadonlySet<string>
  readonly #routes: readonly (readonly string[])[]
  readonly #literals: ReadonlySet<string>
  readonly #secrets = new Set<string>()
  /** Texts that stayed, by field. */
  readonly kept = new Map<string, Set<string>>()

  constructor({ key, keep, vocabulary }: MaskSettings) {
    this.#texts = new Set(vocabulary.texts)
    this.#pseudonyms = new Pseudonyms(key, (label) => this.#texts.has(label))
    this.#kinds = new Map(Object.entries(vocabulary.kinds))
    this.#schemas = new Map(Object.entries(vocabulary.schemas))
    this.#names = new Set(vocabulary.names)
    this.#words = wordsOf(vocabulary)
    this.#queries = new Set(vocabulary.queries)
    this.#keep = new Set(keep.filter((name) => !name.startsWith('/')))
    const own = keep.filter((name) => name.startsWith('/'))
    this.#routes = [...vocabulary.routes, ...own].map((path) => path.split('/').slice(1))
    this.#literals = new Set(this.#routes.flat().filter((segment) => !segment.startsWith('{')))
  }

  /** Replaces the name of a host, with or without a port. */
  maskHost(host: string): string {
    return this.#pseudonyms.ofHost(host)
  }

  /** Masks an exchange as a whole. Bodies that are no JSON, form or event stream are left out. */
  maskExchange(exchange: Exchange): Exchange {
    const { requestBody, body, isBodyOmitted, omitted: before, ...rest } = exchange
    this.#learnSecrets(exchange)
    const place = { isKnown: this.#routeOf(exchange.path) !== undefined }
    const sent = this.#body(requestBody, exchange.requestHeaders, place)
    const received = this.#body(body, exchange.headers, place)
    const omitted = {
      ...before,
      ...(requestBody === undefined || sent !== undefined ? {} : { requestBody: sizeOf(requestBody) }),
      ...(body === undefined || received !== undefined ? {} : { body: sizeOf(body) })
    }
    return {
      ...rest,
      path: this.#path(exchange.path),
      query: this.#query(exchange.query),
      requestHeaders: this.#headers(exchange.requestHeaders),
      headers: this.#headers(exchange.headers),
      ...(sent === undefined ? {} : { requestBody: sent }),
      ...(received === undefined ? {} : { body: received }),
      ...(Object.keys(omitted).length > 0 ? { isBodyOmitted: true, omitted } : isBodyOmitted && { isBodyOmitted })
    }
  }

  /** Notes credentials and passwords: they are replaced even where they are words of the interface. */
  #learnSecrets({ requestHeaders, requestBody }: Exchange): void {
    const found = [
      requestHeaders['x-api-key'],
      requestHeaders['authorization']?.replace(/^\S+\s+/, ''),
      isObject(requestBody) ? requestBody['password'] : undefined
    ]
    for (const secret of found) {
      if (typeof secret !== 'string') continue
      if (this.#secrets.size >= MOST_SECRETS) this.#secrets.clear()
      this.#secrets.add(secret)
    }
  }

  #headers(headers: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(
      Object.entries(headers)
        .filter(([name]) => !CONNECTION_HEADERS.has(name))
        .map(([name, value]) => [this.#name(name), this.#header(name, value)])
    )
  }

  #header(name: string, value: string): string {
    if (this.#keep.has(name)) return this.#noted(name, value)
    switch (name) {
      case 'host':
        return this.#pseudonyms.ofHost(value)
      case 'authorization':
      case 'proxy-authorization': {
        const [, scheme = '', rest = ''] = /^(Basic|Bearer|Digest)?\s*(.*)$/is.exec(value) ?? []
        return `${scheme}${scheme === '' ? '' : ' '}${this.#pseudonyms.of(rest)}`
      }
      case 'cookie':
      case 'set-cookie':
        return this.#cookies(value)
      case 'origin':
      case 'location':
      case 'referer':
        return this.#url(value)
      default: {
        const part = harmlessPart(name, value)
        return part === undefined ? this.#pseudonyms.of(value) : this.#noted(name, part)
      }
    }
  }

  /** Cookies without their attributes, which say where they are sent. */
  #cookies(value: string): string {
    return value
      .split(/[;,]/)
      .map((cookie) => cookie.trim().split('='))
      .filter(
        ([name = ''], index) => index === 0 || !/^(?:path|domain|expires|max-age|httponly|secure|samesite)$/i.test(name)
      )
      .map(([name = '', ...rest]) =>
        rest.length === 0 ? this.#pseudonyms.of(name) : `${this.#name(name)}=${this.#pseudonyms.of(rest.join('='))}`
      )
      .join('; ')
  }

  #url(url: string): string {
    const [, origin = '', path = '', query = '', fragment = ''] =
      /^((?:https?:)?\/\/[^/?#]*)?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/is.exec(url) ?? ['', '', url]
    const [, scheme = '', host = ''] = /^(.*\/\/)(?:.*@)?(.*)$/s.exec(origin) ?? []
    return [
      scheme,
      host === '' ? '' : this.#pseudonyms.ofHost(host),
      path.startsWith('/') ? this.#path(path) : this.#pseudonyms.of(path),
      query === '' ? '' : `?${this.#query(query)}`,
      fragment === '' ? '' : `#${this.#pseudonyms.of(fragment)}`
    ].join('')
  }

  /** The template of a known route that a path ends in: a service may have a base path before it. */
  #routeOf(path: string): readonly string[] | undefined {
    const segments = path.split('/')
    return this.#routes.find(
      (route) =>
        route.length < segments.length &&
        route.every((part, index) => {
          const segment = segments[segments.length - route.length + index]!
          return part.startsWith('{') ? segment !== '' : part === segment
        })
    )
  }

  #path(path: string): string {
    const segments = path.split('/')
    const route = this.#routeOf(path)
    const from = segments.length - (route?.length ?? 0)
    return segments
      .map((segment, index) => {
        // An id of a route may be a word of another one, such as `current`.
        const stays = index >= from ? !route![index - from]!.startsWith('{') : this.#isLiteral(segment)
        return stays || segment === '' ? segment : encodeURIComponent(this.#pseudonyms.of(percentDecoded(segment)))
      })
      .join('/')
  }

  #isLiteral(segment: string): boolean {
    return this.#literals.has(segment) || /^v\d{1,2}$/.test(segment)
  }

  #query(query: string): string {
    if (query === '') return query
    return query
      .split('&')
      .map((pair) => {
        const [name = '', ...rest] = pair.split('=')
        const field = percentDecoded(name.replaceAll('+', '%20'))
        // Without a value, it may be anything.
        if (rest.length === 0) return encodeURIComponent(this.#pseudonyms.of(field))
        const value = percentDecoded(rest.join('=').replaceAll('+', '%20'))
        const masked = this.#text(value, field, { isKnown: false })
        const stays = this.#queries.has(field) || this.#keep.has(field)
        return `${encodeURIComponent(stays ? field : this.#pseudonyms.of(field))}=${encodeURIComponent(masked)}`
      })
      .join('&')
  }

  /** @returns undefined for a text that can hide a secret anywhere */
  #body(body: unknown, headers: Readonly<Record<string, string>>, place: Place): unknown {
    if (typeof body !== 'string') return body === undefined ? undefined : this.#value(body, '', place)
    const type = headers['content-type'] ?? ''
    if (/json/i.test(type)) return this.#text(body, '', place)
    if (/form-urlencoded/i.test(type)) return this.#query(body)
    return /event-stream/i.test(type) ? this.#events(body, place) : undefined
  }

  /** An event stream: comments go, and the data are masked as bodies are. */
  #events(text: string, place: Place): string {
    return text
      .split('\n')
      .map((line) => {
        const [, field = '', value = ''] = /^(data|event|id|retry): ?(.*)$/s.exec(line.replace(/\r$/, '')) ?? []
        if (field === '') return ''
        const json = field === 'data' ? parsed(value) : value
        const masked =
          typeof json === 'string' ? this.#text(json, field, place) : JSON.stringify(this.#value(json, '', place))
        return `${field}: ${masked}`
      })
      .join('\n')
  }

  #value(value: unknown, field: string, place: Place): unknown {
    if (typeof value === 'string') return this.#text(value, field, place)
    if (typeof value === 'number') return this.#number(value, field, place)
    if (Array.isArray(value)) return value.map((item) => this.#value(item, field, place))
    if (!isObject(value)) return value
    const inside = { ...place, schema: this.#schemas.get(field) }
    const masked: Record<string, unknown> = {}
    for (const [name, item] of Object.entries(value))
      Object.defineProperty(masked, this.#name(name), {
        value: this.#value(item, name, inside),
        configurable: true,
        enumerable: true,
        writable: true
      })
    return masked
  }

  #number(number: number, field: string, { isKnown }: Place): number {
    const stays = Number.isInteger(number) && Math.abs(number) < SMALL
    if (stays || this.#keep.has(field) || (isKnown && this.#kinds.get(field) === 'plain')) return number
    return this.#pseudonyms.ofNumber(number)
  }

  #text(text: string, field: string, place: Place): string {
    if (text === '' || this.#keep.has(field)) return this.#noted(field, text)
    if (this.#secrets.has(text)) return this.#pseudonyms.of(text)
    if (this.#texts.has(text) || isTime(text)) return this.#noted(field, text)
    const kind = this.#kindOf(field, place)
    if (kind === 'message') return this.#message(text)
    if (field === 'Result') return this.#result(text, place)
    if (kind === 'fieldPath') return this.#fieldPath(text)
    if (kind !== undefined && kind !== 'plain' && FORMS[kind](text)) return this.#noted(field, text)
    return this.#pseudonyms.of(text)
  }

  #kindOf(field: string, { isKnown, schema = '' }: Place): Kind | undefined {
    const kind = this.#kinds.get(`${schema}.${field}`) ?? this.#kinds.get(field)
    return isKnown || kind === 'message' ? kind : undefined
  }

  /** A result that is a text is an id, a sentence, or the text of a JSON value. */
  #result(text: string, place: Place): string {
    const json = /^\s*[[{]/.test(text) ? parsed(text) : undefined
    if (typeof json === 'object') return JSON.stringify(this.#value(json, '', place))
    return /\s/.test(text) ? this.#message(text) : this.#pseudonyms.of(text)
  }

  /** Names of fields, and places in lists, joined by dots. */
  #fieldPath(text: string): string {
    const parts = text.split('.')
    if (!this.#names.has(parts[0]!)) return this.#pseudonyms.of(text)
    return parts
      .map((part) => (this.#names.has(part) || /^\d{1,3}$/.test(part) ? part : this.#pseudonyms.of(part)))
      .join('.')
  }

  /** Replaces the words of a message, but for those of the interface. */
  #message(text: string): string {
    const parts = text.split(/(\s+)/)
    if (parts.length > 2 * MOST_WORDS) return this.#pseudonyms.of(text)
    return parts
      .map((part) => {
        const [from, to] = wordIn(part)
        const word = part.slice(from, to)
        return /^\s*$/.test(part) || this.#isHarmlessWord(word)
          ? part
          : part.slice(0, from) + this.#pseudonyms.of(word) + part.slice(to)
      })
      .join('')
  }

  #isHarmlessWord(word: string): boolean {
    if (this.#secrets.has(word)) return false
    return /^\d{1,3}$/.test(word) || this.#words.has(word.toLowerCase()) || this.#texts.has(word) || isTime(word)
  }

  #name(name: string): string {
    const stays = this.#names.has(name) || this.#keep.has(name) || (isPlainName(name) && !this.#secrets.has(name))
    return stays ? name : this.#pseudonyms.of(name)
  }

  #noted(field: string, text: string): string {
    const texts = this.kept.get(field) ?? new Set()
    if (text !== '' && texts.size < MOST_TEXTS && (this.kept.has(field) || this.kept.size < MOST_FIELDS))
      this.kept.set(field, texts.add(text))
    return text
  }
}

const OPENING = new Set('("\'`[{<')
const CLOSING = new Set(')"\'`]}>.,:;!?')

/** Where the word in a part of a message begins and ends, between its quotes and punctuation. */
function wordIn(part: string): [from: number, to: number] {
  let [from, to] = [0, part.length]
  while (from < to && OPENING.has(part[from]!)) from++
  while (to > from && CLOSING.has(part[to - 1]!)) to--
  return [from, to]
}

/** The words of which the interface's own names and values are made, and those of messages. */
function wordsOf({ names, texts, routes }: Vocabulary): ReadonlySet<string> {
  const own = [...names, ...texts, ...routes].flatMap((text) => [text, ...text.split(/[^A-Za-z]+/)])
  return new Set([
    ...MESSAGE_WORDS,
    ...own.filter((word) => /^[A-Za-z][\w-]*$/.test(word)).map((word) => word.toLowerCase())
  ])
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Only texts are left out. */
const sizeOf = (body: unknown) => Buffer.byteLength(String(body))
