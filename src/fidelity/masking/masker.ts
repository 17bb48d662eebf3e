import { isObject } from '../../lib/json.js'
import { parsed } from '../../lib/parsed.js'
import { percentDecoded } from '../../lib/percent-decoded.js'
import { excessOf } from '../body.js'
import type { Exchange } from '../exchange.js'
import { ChosenTexts } from './chosen-texts.js'
import { hasForm, isAnyWord, type Kind } from './forms.js'
import { CONNECTION_HEADERS, harmlessPart, isMoment, isPlainName, isTime } from './harmless.js'
import { type Lexicon, maskMessage, MESSAGE_WORDS, SUBJECTS } from './messages.js'
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
/** Maximum length of a chosen text that is looked for in messages: the interface limits texts to it. */
const LONGEST_CHOSEN = 256
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
export function maskerWith({ key, keep, vocabulary }: MaskSettings) {
  const pseudonyms = new Pseudonyms(key, vocabulary.regions)
  const words = wordsOf(vocabulary)
  const keptNames = new Set(keep)
  const keptHeaders = new Set(keep.map((name) => name.toLowerCase()))
  const paths = [...vocabulary.routes, ...keep.filter((name) => name.startsWith('/'))]
  const routes = paths.map((path) => path.split('/').slice(1))
  /** Credentials and passwords, in lower case. They are replaced even if they are words of the interface. */
  const secrets = new ChosenTexts(MOST_REMEMBERED)
  /** Words that the service has shown in replies. */
  const shown = new Set<string>()
  /** Texts that somebody has chosen in the current exchange. */
  let chosen = new ChosenTexts()
  /** Unmasked texts, by field. */
  const kept = new Map<string, Set<string>>()
  const lexicon: Lexicon = {
    isOfInterface: (word) => words.has(word),
    isDeclared: (word) => vocabulary.texts.has(word),
    isChosen: (text) => secrets.has(text) || chosen.has(text),
    chosenLengths: (part) => [...secrets.lengthsFrom(part), ...chosen.lengthsFrom(part)].sort((a, b) => b - a),
    pseudonymOf: (word) => pseudonyms.of(word)
  }
  return { maskExchange, kept }

  function maskExchange(exchange: Exchange): Exchange {
    const { requestBody, body, ...rest } = exchange
    const isKnown = routeOf(exchange.path) !== undefined
    const place = { isKnown, isRoot: false, isSent: false }
    chosen = new ChosenTexts()
    // Collect chosen texts first: messages in the bodies can repeat them.
    const head = { path: maskPath(exchange.path), query: maskQuery(exchange.query) }
    noteSent(exchange)
    gather(requestBody, '', place)
    gather(body, '', place)
    // The reply first: it shows which words of the request are the service's.
    const received = maskBody(body, exchange.headers, place)
    const sent = maskBody(requestBody, exchange.requestHeaders, { ...place, isSent: true })
    return {
      ...rest,
      ...head,
      requestHeaders: maskHeaders(exchange.requestHeaders),
      headers: maskHeaders(exchange.headers),
      ...(sent === undefined ? {} : { requestBody: sent }),
      ...(received === undefined ? {} : { body: received })
    }
  }

  /** Collects credentials, and texts that the client has chosen in headers and in bodies such as forms. */
  function noteSent({ requestHeaders, requestBody }: Exchange): void {
    const [, scheme = '', credential = ''] = /^(?:(\S+)\s+)?(.*)$/s.exec(requestHeaders['authorization'] ?? '') ?? []
    const [, password = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(credential, 'base64').toString()) ?? []
    for (const secret of [requestHeaders['x-api-key'], credential, /^basic$/i.test(scheme) ? password : ''])
      secrets.add(secret?.toLowerCase() ?? '')
    for (const [name, value] of Object.entries(requestHeaders))
      if (name === 'cookie' || name.startsWith('x-'))
        for (const text of [value, ...value.split(/[\s;,=]+/)]) choose(text)
    if (typeof requestBody === 'string')
      for (const text of requestBody.split(/[\s&=;,:"'<>]+/)) choose(percentDecoded(text.replaceAll('+', ' ')))
  }

  /** Collects passwords in a body, and values that somebody has chosen because they are not the interface's. */
  function gather(value: unknown, field: string, place: Place): void {
    if (Array.isArray(value)) for (const item of value) gather(item, field, place)
    else if (isObject(value)) {
      const inside = placeIn(field, place)
      for (const [name, item] of Object.entries(value)) gather(item, name, inside)
    } else if (typeof value === 'string' || typeof value === 'number') {
      const text = String(value)
      if (vocabulary.kinds.get(field) === 'secret') secrets.add(text.toLowerCase())
      const isOwn = kindOf(field, place) !== undefined || isTime(text) || (place.isKnown && vocabulary.texts.has(text))
      // If a workspace is named "workspace", messages may still contain the word.
      const isSubject = isDeclared(field, place) && vocabulary.names.has(field) && SUBJECTS.has(text.toLowerCase())
      if (!isOwn && !isSubject) choose(text)
      gather(jsonIn(text), field, place)
    }
  }

  function replaced(text: string): string {
    choose(text)
    return pseudonyms.of(text)
  }

  function choose(text: string): void {
    if (text.length <= LONGEST_CHOSEN) chosen.add(text.trim().toLowerCase())
  }

  function maskHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(
      Object.entries(headers)
        .filter(([name]) => !CONNECTION_HEADERS.has(name))
        .map(([name, value]) => {
          const masked = isPlainName(name) || keptHeaders.has(name) ? name : pseudonyms.of(name)
          return [masked, maskHeader(name, value)]
        })
    )
  }

  function maskHeader(name: string, value: string): string {
    if (keptHeaders.has(name)) return unmasked(name, value)
    if (name === 'authorization') {
      const [, scheme = '', rest = ''] = /^((?:Basic|Bearer|Digest)\s)?\s*(.*)$/is.exec(value) ?? []
      return scheme + pseudonyms.of(rest)
    }
    const part = secrets.has(value.toLowerCase()) ? undefined : harmlessPart(name, value)
    return part === undefined ? pseudonyms.of(value) : unmasked(name, part)
  }

  /** The template of the known route at the end of a path, which may begin with a base path. */
  function routeOf(path: string): readonly string[] | undefined {
    const [, ...segments] = path.split('/')
    return routes.find((route) => {
      const end = segments.slice(-route.length)
      return route.every((part, index) => (part.startsWith('{') ? Boolean(end[index]) : part === end[index]))
    })
  }

  function maskPath(path: string): string {
    const segments = path.split('/')
    const route = routeOf(path) ?? []
    const from = segments.length - route.length
    return segments
      .map((segment, index) => {
        // By position, because an id can be a word of another route, such as `current`.
        const stays = route[index - from] === segment || /^v\d$/.test(segment)
        return stays ? segment : encodeURIComponent(replaced(percentDecoded(segment)))
      })
      .join('/')
  }

  function maskQuery(query: string): string {
    if (query === '') return query
    return query
      .split('&')
      .map((pair) => {
        const [name = '', ...rest] = pair.split('=')
        const field = percentDecoded(name.replaceAll('+', '%20'))
        // A name without a value may be anything.
        if (rest.length === 0) return encodeURIComponent(replaced(field))
        const value = percentDecoded(rest.join('=').replaceAll('+', '%20'))
        const isKnown = vocabulary.queries.has(field)
        const masked = maskText(value, field, { isKnown, isRoot: false, isSent: true })
        if (masked !== value) choose(value)
        const stays = isKnown || keptNames.has(field)
        return `${encodeURIComponent(stays ? field : pseudonyms.of(field))}=${encodeURIComponent(masked)}`
      })
      .join('&')
  }

  /** A body that is not JSON is replaced as a whole. */
  function maskBody(body: unknown, headers: Readonly<Record<string, string>>, place: Place): unknown {
    if (typeof body !== 'string') return body === undefined ? undefined : maskValue(body, '', place)
    return /json/i.test(headers['content-type'] ?? '') ? maskText(body, '', place) : pseudonyms.of(body)
  }

  function maskValue(value: unknown, field: string, place: Place): unknown {
    if (typeof value === 'string') return maskText(value, field, place)
    if (typeof value === 'number') return maskNumber(value, field, place)
    if (Array.isArray(value)) return value.map((item) => maskValue(item, field, place))
    if (!isObject(value)) return value
    const inside = placeIn(field, place)
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [maskName(name), maskValue(item, name, inside)])
    )
  }

  /** The place of the values in an object. */
  function placeIn(field: string, place: Place): Place {
    const schema = vocabulary.schemas.get(field)
    const isHere = field === '' ? place.isKnown : isDeclared(field, place)
    const isKnown = isHere && (field === '' || schema !== undefined || vocabulary.kinds.get(field) === 'result')
    return { ...place, isKnown, isRoot: field === '', schema }
  }

  /** Whether the interface may declare a field in this place. */
  function isDeclared(field: string, { isKnown, isRoot }: Place): boolean {
    return isKnown || (isRoot && vocabulary.envelope.has(field))
  }

  function kindOf(field: string, place: Place): Kind | undefined {
    if (!isDeclared(field, place)) return undefined
    return vocabulary.kinds.get(`${place.schema ?? ''}.${field}`) ?? vocabulary.kinds.get(field)
  }

  function maskNumber(number: number, field: string, place: Place): number {
    const stays = Number.isInteger(number) && Math.abs(number) < (place.isKnown ? SMALL : TINY)
    if (stays || keptNames.has(field) || kindOf(field, place) === 'plain') return number
    if (place.isKnown && isMoment(number, field)) return number
    return pseudonyms.ofNumber(number)
  }

  function maskText(text: string, field: string, place: Place): string {
    if (text === '') return text
    const kind = kindOf(field, place)
    const isListed = place.isKnown && vocabulary.texts.has(text)
    if (isListed && kind !== undefined && kind !== 'secret') return unmasked(field, text)
    if (secrets.has(text.toLowerCase())) return pseudonyms.of(text)
    if (isListed || keptNames.has(field) || isTime(text)) return unmasked(field, text)
    switch (kind) {
      case 'message':
        return maskMessage(text, lexicon)
      case 'result':
        return maskResult(text, field, place)
      case 'path':
        return maskFieldPath(text)
      case 'composed':
        return maskComposed(text)
      case undefined:
      case 'plain':
      case 'secret':
        return pseudonyms.of(text)
    }
    if (!hasForm(text, kind)) return pseudonyms.of(text)
    if (isAnyWord(text, kind)) {
      if (!place.isSent) remember(shown, text)
      else if (!shown.has(text)) return pseudonyms.of(text)
    }
    return unmasked(field, text)
  }

  function maskResult(text: string, field: string, place: Place): string {
    const json = jsonIn(text)
    if (json !== undefined) return JSON.stringify(maskValue(json, field, place))
    return /\s/.test(text) ? maskMessage(text, lexicon) : pseudonyms.of(text)
  }

  function maskComposed(text: string): string {
    return text
      .split(/([:/|])/)
      .map((part) => {
        const isWord = words.has(part) || MESSAGE_WORDS.has(part) || hasForm(part, 'versions')
        const stays = /^[:/|]$/.test(part) || (isWord && !lexicon.isChosen(part.toLowerCase()))
        return stays ? part : pseudonyms.of(part)
      })
      .join('')
  }

  /** Names of fields and indexes, joined by dots. */
  function maskFieldPath(text: string): string {
    const parts = text.split('.')
    if (!vocabulary.names.has(parts[0]!)) return pseudonyms.of(text)
    return parts
      .map((part) => (vocabulary.names.has(part) || /^\d{1,3}$/.test(part) ? part : pseudonyms.of(part)))
      .join('.')
  }

  /** Names of fields stay, but not other keys of objects, such as the ids in a map. */
  function maskName(name: string): string {
    if (vocabulary.names.has(name) || keptNames.has(name)) return name
    const isName = isPlainName(name) && !name.includes('-')
    return isName && !secrets.has(name.toLowerCase()) ? name : pseudonyms.of(name)
  }

  /** Records a text that stays. */
  function unmasked(field: string, text: string): string {
    const name = isPlainName(field) ? field : maskName(field)
    const texts = kept.get(name) ?? new Set()
    if (texts.size < MOST_TEXTS && (texts.size > 0 || kept.size < MOST_FIELDS)) kept.set(name, texts.add(text))
    return text
  }
}

/** The words in the names and values of the interface. */
function wordsOf({ names, texts, routes }: Vocabulary): ReadonlySet<string> {
  const own = [...names, ...texts, ...routes].flatMap((text) => [text, ...text.split(/[^A-Za-z]+/)])
  return new Set(own.filter((word) => /^[A-Za-z][\w-]*$/.test(word)).map((word) => word.toLowerCase()))
}

/** The object or list in a text; undefined if there is none, or it is too large to process. */
function jsonIn(text: string): object | undefined {
  const value = /^\s*[[{]/.test(text) && excessOf(text) === undefined ? parsed(text) : undefined
  return typeof value === 'object' ? value! : undefined
}

function remember(texts: Set<string>, text: string): void {
  if (texts.size >= MOST_REMEMBERED) texts.clear()
  texts.add(text)
}
