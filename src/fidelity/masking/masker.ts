import { isObject } from '../../lib/json.js'
import { parsed } from '../../lib/parsed.js'
import { excessOf } from '../body.js'
import type { Exchange } from '../exchange.js'
import { percentDecoded } from '../percent-decoded.js'
import { hasForm, isAnyWord, type Kind } from './forms.js'
import { CONNECTION_HEADERS, harmlessPart, isMoment, isPlainName, isTime } from './harmless.js'
import { maskMessage, MESSAGE_WORDS, SUBJECTS } from './messages.js'
import { Pseudonyms } from './pseudonyms.js'
import type { Vocabulary } from './vocabulary.js'

/** Settings for masking, as plain data. */
export interface MaskSettings {
  /** The secret on which pseudonyms depend. */
  readonly key: string
  /** Names of fields and headers whose values stay, and templates of paths, which begin with a slash. */
  readonly keep: readonly string[]
  readonly vocabulary: Vocabulary
}

/** In objects of the interface, smaller numbers are harmless. */
const SMALL = 1000
/** Elsewhere, even three digits can be the security code of a card. */
const TINY = 100
/** Maximum number of secrets, and of words of the service, that are remembered. */
const MOST_REMEMBERED = 10_000
/** Maximum length of a chosen text that is looked for in messages. */
const LONGEST_WORD = 64
/** Maximum number of fields, and of unmasked texts for each, that `--dry-run` lists. */
const MOST_FIELDS = 200
const MOST_TEXTS = 8

/** The object that contains a value. */
interface Place {
  /** Whether the interface declares it. */
  readonly isKnown: boolean
  /** Whether it is the whole body. */
  readonly isRoot: boolean
  /** Whether the client has sent it. */
  readonly isSent: boolean
  readonly schema?: string | undefined
}

/** Masks exchanges: keeps harmless values, and replaces all others one to one, so that a comparison loses nothing. */
export class Masker {
  readonly #pseudonyms: Pseudonyms
  readonly #vocabulary: Vocabulary
  readonly #words: ReadonlySet<string>
  readonly #keep: ReadonlySet<string>
  readonly #keptHeaders: ReadonlySet<string>
  readonly #routes: readonly (readonly string[])[]
  /** Credentials and passwords, in lower case. They are replaced even if they are words of the interface. */
  readonly #secrets = new Set<string>()
  /** Words that the service has shown in replies. */
  readonly #shown = new Set<string>()
  /** Texts that somebody has chosen in the current exchange, in lower case. */
  #chosen = new Set<string>()
  /** Unmasked texts, by field. */
  readonly kept = new Map<string, Set<string>>()

  constructor({ key, keep, vocabulary }: MaskSettings) {
    this.#pseudonyms = new Pseudonyms(key, vocabulary.regions)
    this.#vocabulary = vocabulary
    this.#words = wordsOf(vocabulary)
    this.#keep = new Set(keep)
    this.#keptHeaders = new Set(keep.map((name) => name.toLowerCase()))
    const own = keep.filter((name) => name.startsWith('/'))
    this.#routes = [...vocabulary.routes, ...own].map((path) => path.split('/').slice(1))
  }

  /** @param host with or without a port */
  maskHost(host: string): string {
    return this.#pseudonyms.ofHost(host)
  }

  maskExchange(exchange: Exchange): Exchange {
    const { requestBody, body, ...rest } = exchange
    const isKnown = this.#routeOf(exchange.path) !== undefined
    const place = { isKnown, isRoot: false, isSent: false }
    this.#chosen = new Set()
    // Collect chosen texts first: messages in the bodies can repeat them.
    const head = { path: this.#path(exchange.path), query: this.#query(exchange.query) }
    this.#noteHeaders(exchange)
    this.#gather(requestBody, '', place)
    this.#gather(body, '', place)
    // The reply first: it shows which words of the request are the service's.
    const received = this.#body(body, exchange.headers, place)
    const sent = this.#body(requestBody, exchange.requestHeaders, { ...place, isSent: true })
    return {
      ...rest,
      ...head,
      requestHeaders: this.#headers(exchange.requestHeaders),
      headers: this.#headers(exchange.headers),
      ...(sent === undefined ? {} : { requestBody: sent }),
      ...(received === undefined ? {} : { body: received })
    }
  }

  /** Collects credentials, and texts in headers that the client has chosen. */
  #noteHeaders({ requestHeaders }: Exchange): void {
    const [, scheme = '', credential = ''] = /^(?:(\S+)\s+)?(.*)$/s.exec(requestHeaders['authorization'] ?? '') ?? []
    const [, password = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(credential, 'base64').toString()) ?? []
    for (const secret of [requestHeaders['x-api-key'], credential, /^basic$/i.test(scheme) ? password : ''])
      remember(this.#secrets, secret?.toLowerCase())
    for (const [name, value] of Object.entries(requestHeaders))
      if (name === 'cookie' || name.startsWith('x-'))
        for (const text of [value, ...value.split(/[\s;,=]+/)]) this.#choose(text)
  }

  /** Collects passwords in a body, and values that somebody has chosen because they are not the interface's. */
  #gather(value: unknown, field: string, place: Place): void {
    if (Array.isArray(value)) for (const item of value) this.#gather(item, field, place)
    else if (isObject(value)) {
      const inside = this.#inside(field, place)
      for (const [name, item] of Object.entries(value)) this.#gather(item, name, inside)
    } else if (typeof value === 'string' || typeof value === 'number') {
      const text = String(value)
      if (this.#vocabulary.kinds.get(field) === 'secret') remember(this.#secrets, text.toLowerCase())
      const isOwn = this.#kindOf(field, place) !== undefined || (place.isKnown && this.#vocabulary.texts.has(text))
      // If a workspace is named "workspace", messages may still contain the word.
      const isSubject =
        this.#isDeclared(field, place) && this.#vocabulary.names.has(field) && SUBJECTS.has(text.toLowerCase())
      if (field !== '' && !isOwn && !isSubject) this.#choose(text)
    }
  }

  #replaced(text: string): string {
    this.#choose(text)
    return this.#pseudonyms.of(text)
  }

  #choose(text: string): void {
    if (text.length <= LONGEST_WORD) this.#chosen.add(text.toLowerCase())
  }

  #headers(headers: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(
      Object.entries(headers)
        .filter(([name]) => !CONNECTION_HEADERS.has(name))
        .map(([name, value]) => {
          const masked = isPlainName(name) || this.#keptHeaders.has(name) ? name : this.#pseudonyms.of(name)
          return [masked, this.#header(name, value)]
        })
    )
  }

  #header(name: string, value: string): string {
    if (this.#keptHeaders.has(name)) return this.#unmasked(name, value)
    if (name === 'authorization') {
      const [, scheme = '', rest = ''] = /^((?:Basic|Bearer|Digest)\s)?\s*(.*)$/is.exec(value) ?? []
      return scheme + this.#pseudonyms.of(rest)
    }
    const part = this.#secrets.has(value.toLowerCase()) ? undefined : harmlessPart(name, value)
    return part === undefined ? this.#pseudonyms.of(value) : this.#unmasked(name, part)
  }

  /** The template of the known route at the end of a path, which may begin with a base path. */
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
    const route = this.#routeOf(path) ?? []
    const from = segments.length - route.length
    return segments
      .map((segment, index) => {
        // By position, because an id can be a word of another route, such as `current`.
        const stays = route[index - from] === segment || segment === '' || /^v\d$/.test(segment)
        return stays ? segment : encodeURIComponent(this.#replaced(percentDecoded(segment)))
      })
      .join('/')
  }

  #query(query: string): string {
    if (query === '') return query
    return query
      .split('&')
      .map((pair) => {
        const [name = '', ...rest] = pair.split('=')
        const field = percentDecoded(name.replaceAll('+', '%20'))
        // A name without a value may be anything.
        if (rest.length === 0) return encodeURIComponent(this.#replaced(field))
        const value = percentDecoded(rest.join('=').replaceAll('+', '%20'))
        const isKnown = this.#vocabulary.queries.has(field)
        if (!isKnown) this.#choose(value)
        const masked = this.#text(value, field, { isKnown, isRoot: false, isSent: true })
        const stays = isKnown || this.#keep.has(field)
        return `${encodeURIComponent(stays ? field : this.#pseudonyms.of(field))}=${encodeURIComponent(masked)}`
      })
      .join('&')
  }

  /** A body that is not JSON is replaced as a whole. */
  #body(body: unknown, headers: Readonly<Record<string, string>>, place: Place): unknown {
    if (typeof body !== 'string') return body === undefined ? undefined : this.#value(body, '', place)
    return /json/i.test(headers['content-type'] ?? '') ? this.#text(body, '', place) : this.#pseudonyms.of(body)
  }

  #value(value: unknown, field: string, place: Place): unknown {
    if (typeof value === 'string') return this.#text(value, field, place)
    if (typeof value === 'number') return this.#number(value, field, place)
    if (Array.isArray(value)) return value.map((item) => this.#value(item, field, place))
    if (!isObject(value)) return value
    const inside = this.#inside(field, place)
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [this.#name(name), this.#value(item, name, inside)])
    )
  }

  /** The place of the values in an object. */
  #inside(field: string, place: Place): Place {
    const schema = this.#vocabulary.schemas.get(field)
    const isDeclared = field === '' ? place.isKnown : this.#isDeclared(field, place)
    const isKnown =
      isDeclared && (field === '' || schema !== undefined || this.#vocabulary.kinds.get(field) === 'result')
    return { ...place, isKnown, isRoot: field === '', schema }
  }

  /** Whether the interface may declare a field in this place. */
  #isDeclared(field: string, { isKnown, isRoot }: Place): boolean {
    return isKnown || (isRoot && this.#vocabulary.envelope.has(field))
  }

  #kindOf(field: string, place: Place): Kind | undefined {
    if (!this.#isDeclared(field, place)) return undefined
    return this.#vocabulary.kinds.get(`${place.schema ?? ''}.${field}`) ?? this.#vocabulary.kinds.get(field)
  }

  #number(number: number, field: string, place: Place): number {
    const stays = Number.isInteger(number) && Math.abs(number) < (place.isKnown ? SMALL : TINY)
    if (stays || this.#keep.has(field) || this.#kindOf(field, place) === 'plain') return number
    if (place.isKnown && isMoment(number, field)) return number
    return this.#pseudonyms.ofNumber(number)
  }

  #text(text: string, field: string, place: Place): string {
    if (text === '') return text
    const kind = this.#kindOf(field, place)
    const isDeclared = place.isKnown && this.#vocabulary.texts.has(text)
    if (isDeclared && kind !== undefined && kind !== 'secret') return this.#unmasked(field, text)
    if (this.#secrets.has(text.toLowerCase())) return this.#pseudonyms.of(text)
    if (isDeclared || this.#keep.has(field) || isTime(text)) return this.#unmasked(field, text)
    switch (kind) {
      case 'message':
        return this.#message(text)
      case 'result':
        return this.#result(text, field, place)
      case 'path':
        return this.#fieldPath(text)
      case 'composed':
        return this.#composed(text)
      case undefined:
      case 'plain':
      case 'secret':
        return this.#pseudonyms.of(text)
    }
    if (!hasForm(text, kind)) return this.#pseudonyms.of(text)
    if (isAnyWord(text, kind)) {
      if (!place.isSent) remember(this.#shown, text)
      else if (!this.#shown.has(text)) return this.#pseudonyms.of(text)
    }
    return this.#unmasked(field, text)
  }

  #result(text: string, field: string, place: Place): string {
    const json = /^\s*[[{]/.test(text) ? valueIn(text) : undefined
    if (typeof json === 'object') return JSON.stringify(this.#value(json, field, place))
    return /\s/.test(text) ? this.#message(text) : this.#pseudonyms.of(text)
  }

  #composed(text: string): string {
    return text
      .split(/([:/|])/)
      .map((part) => {
        const stays =
          this.#words.has(part) || MESSAGE_WORDS.has(part) || hasForm(part, 'versions') || /^[:/|]$/.test(part)
        return stays ? part : this.#pseudonyms.of(part)
      })
      .join('')
  }

  /** Names of fields and indexes, joined by dots. */
  #fieldPath(text: string): string {
    const parts = text.split('.')
    if (!this.#vocabulary.names.has(parts[0]!)) return this.#pseudonyms.of(text)
    return parts
      .map((part) => (this.#vocabulary.names.has(part) || /^\d{1,3}$/.test(part) ? part : this.#pseudonyms.of(part)))
      .join('.')
  }

  #message(text: string): string {
    return maskMessage(text, {
      isOfInterface: (word) => this.#words.has(word),
      isDeclared: (word) => this.#vocabulary.texts.has(word),
      isChosen: (word) => this.#secrets.has(word) || this.#chosen.has(word),
      pseudonymOf: (word) => this.#pseudonyms.of(word)
    })
  }

  /** Names of fields stay, but not other keys of objects, such as the ids in a map. */
  #name(name: string): string {
    if (this.#vocabulary.names.has(name) || this.#keep.has(name)) return name
    const isName = isPlainName(name) && !name.includes('-')
    return isName && !this.#secrets.has(name.toLowerCase()) ? name : this.#pseudonyms.of(name)
  }

  /** Records a text that stays. */
  #unmasked(field: string, text: string): string {
    const name = isPlainName(field) ? field : this.#name(field)
    const texts = this.kept.get(name) ?? new Set()
    if (texts.size < MOST_TEXTS && (texts.size > 0 || this.kept.size < MOST_FIELDS))
      this.kept.set(name, texts.add(text))
    return text
  }
}

/** The words in the names and values of the interface. */
function wordsOf({ names, texts, routes }: Vocabulary): ReadonlySet<string> {
  const own = [...names, ...texts, ...routes].flatMap((text) => [text, ...text.split(/[^A-Za-z]+/)])
  return new Set(own.filter((word) => /^[A-Za-z][\w-]*$/.test(word)).map((word) => word.toLowerCase()))
}

/** @returns the text itself if it is not JSON, or too large to process */
const valueIn = (text: string) => (excessOf(text) === undefined ? parsed(text) : text)

function remember(texts: Set<string>, text = ''): void {
  if (text === '') return
  if (texts.size >= MOST_REMEMBERED) texts.clear()
  texts.add(text)
}
