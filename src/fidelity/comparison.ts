import { isDeepStrictEqual } from 'node:util'
import type { OperationId } from '../interface/operation-ids.js'
import { isObject, type Json, valueAt } from '../lib/json.js'
import { parsed } from '../lib/parsed.js'
import { type AnsweredField, type Mirrored, MIRRORS } from '../profile/fields.js'
import type { Profile } from '../profile/profile.js'
import type { StateKind } from '../profile/states.js'
import { addedField, mayStandFor } from './added-fields.js'
import type { Api, Call, Schema } from './api.js'
import { type Bindings, hasId, isId } from './bindings.js'
import type { CatalogueNames } from './catalogue-names.js'
import { CATALOGUE_LISTS, comparableOf, JSON_TEXTS, RESOURCES } from './comparables.js'
import type { Exchange } from './exchange.js'
import type { LooseFact, LooseKey } from './fact-book.js'
import type { StateNames } from './state-names.js'
import { instantOf } from './timing.js'

/** What has been found out about the names of the service. */
export interface Names {
  readonly api: Api
  readonly profile: Profile
  readonly bindings: Bindings
  readonly states: StateNames
  readonly catalogue: CatalogueNames
}

/** A state that both show. */
export interface StatePair {
  readonly kind: StateKind
  /** The object that has it, as the mock and as the service show it. */
  readonly ours: Json
  readonly theirs: Json
  /** The built-in state of the mock. */
  readonly state: string
  /** The word of the service. */
  readonly word: string
}

/** A value of a resource that differs. */
export interface OtherValue {
  readonly schema: string
  /** The resource as the mock shows it. */
  readonly item: Json
  readonly field: string
  readonly theirs: unknown
}

/** An item that only one of the two shows. */
export interface Unmatched {
  readonly schema: string | undefined
  readonly item: Json
}

const TIMESTAMP = /^\d{4}-\d\d-\d\d([T ])\d\d:\d\d:\d\d(\.\d+)?(Z| \+0000 UTC)$/
const isTimestamp = (value: unknown): value is string => typeof value === 'string' && TIMESTAMP.test(value)

/** The form of a timestamp. How Go prints a fraction depends on the time. */
function formOf(value: string): string | undefined {
  const [, separator, fraction, zone] = TIMESTAMP.exec(value) ?? []
  return separator && [separator, zone, separator === 'T' && fraction !== undefined].join()
}

const isFilledList = (value: unknown) => Array.isArray(value) && value.length > 0

/** Stands for a value that looked secret, and has no form any more. */
const MASKED = /^(?:name|text)-[0-9a-z]{12}-*$/

/** A tag of a backup that has its time in it. */
const TIMED = /^(?:automatic|manual)-\d{4}-/

/** The fields around a result. Their names are part of the interface. */
const ENVELOPE = ['Error', 'ErrorDetails', 'Message', 'RequestID', 'Result']

/** Fields with the id of the org, whose form is not assumed. */
const IDS_OF_ORG = ['org_id', 'tenantID']

/** Compares the body of one reply of the mock with that of the service, field by field. */
export class Comparison {
  readonly facts: LooseFact[] = []
  readonly states: StatePair[] = []
  readonly onlyOurs: Unmatched[] = []
  readonly onlyTheirs: Unmatched[] = []
  readonly otherValues: OtherValue[] = []
  readonly #names: Names
  readonly #exchange: Exchange
  readonly #operation: OperationId
  readonly #adopted: ReadonlySet<string>
  /** Whether what the path names first was there before. */
  readonly #isWithinAdopted: boolean
  #isAdopted = false
  /** The innermost resource that is being compared. */
  #resource: { readonly schema: string; readonly item: Json } | undefined

  /** @param adopted ids of the mock for resources that were there before: their values and order say nothing */
  constructor(names: Names, exchange: Exchange, call: Call, adopted: ReadonlySet<string>) {
    this.#names = names
    this.#exchange = exchange
    this.#operation = call.operation
    this.#adopted = adopted
    const [id = ''] = Object.values(call.params)
    this.#isWithinAdopted = adopted.has(names.bindings.oursFor(id) ?? id)
  }

  /** @param ours the body of the mock's reply, which is a success or an error as that of the service is */
  compare(ours: unknown): void {
    const { body, status } = this.#exchange
    if (ours === undefined && body === undefined) return
    const schema = this.#names.api.replySchema(this.#operation)
    const isSuccess = status !== null && status < 400
    if (isObject(ours) && 'RequestID' in ours) this.#envelope(ours, body, schema, isSuccess)
    else if (isSuccess) this.#value(schema, ours, body, undefined, undefined)
  }

  /** Adds what agrees or differs. */
  note(key: LooseKey, agrees: boolean, ours: unknown, theirs: unknown): void {
    this.facts.push({ ...key, operation: this.#operation, agrees, ours, theirs, exchange: this.#exchange.number })
  }

  #envelope(ours: Json, body: unknown, schema: Schema | undefined, isSuccess: boolean): void {
    if (!isObject(body)) {
      // The status says it already.
      if (this.#exchange.status !== 204) this.note({ aspect: 'envelope' }, false, 'an object', typeOf(body))
      return
    }
    const { fields } = this.#names.profile.names
    const both = (field: string) => [ours[fields.toWire(field)], body[fields.toWire(field)]] as const
    for (const field of ENVELOPE) {
      const [own, other] = both(field)
      if (own === undefined && other === undefined) continue
      // A result that the mock does not have is as good as a further field.
      const agrees = own !== undefined && other !== undefined && (field === 'Result' || typeOf(own) === typeOf(other))
      this.note({ aspect: 'envelope', field }, agrees, typeOf(own), typeOf(other))
    }
    for (const name of Object.keys(body)) {
      if (name in ours || ENVELOPE.includes(fields.fromWire(name))) continue
      this.note({ aspect: 'envelope', field: fields.fromWire(name) }, false, undefined, typeOf(body[name]))
    }
    if (!isSuccess) {
      const [own, other] = both('ErrorDetails')
      if (Array.isArray(own) && Array.isArray(other))
        this.#value(this.#names.api.listOf('middleware.Error'), own, other, undefined, undefined)
      return
    }
    const result = this.#names.api.resolve(schema)?.schema.properties?.[fields.toWire('Result')]
    const [own, other] = both('Result')
    const items = JSON_TEXTS[this.#operation]
    if (items !== undefined && typeof own === 'string' && typeof other === 'string')
      this.#value(this.#names.api.listOf(items), parsed(own), parsed(other), undefined, undefined)
    else if (own !== undefined && other !== undefined) this.#value(result, own, other, undefined, 'Result')
    // It can name ids that the result has brought.
    this.#message(...both('Message'))
  }

  #message(ours: unknown, theirs: unknown): void {
    if (typeof ours !== 'string' || typeof theirs !== 'string') return
    const { bindings, states } = this.#names
    const expected = plain(bindings.toTheirs(ours))
    this.note({ aspect: 'message' }, states.hide(expected) === states.hide(plain(theirs)), expected, theirs)
  }

  #value(
    reference: Schema | undefined,
    ours: unknown,
    theirs: unknown,
    owner: string | undefined,
    field: string | undefined
  ): void {
    const [own, other] = [typeOf(ours), typeOf(theirs)]
    const place = { schema: owner, field }
    if (isTimestamp(ours) && own !== other) {
      this.note({ aspect: 'form', subject: 'timestamp', ...place }, false, ours, theirs)
      return
    }
    // A list that is null while it is empty has entries here that nobody has told.
    if (own !== other && [own, other].includes('null') && isFilledList(own === 'null' ? theirs : ours)) return
    if (field !== undefined || own !== other) this.note({ aspect: 'type', ...place }, own === other, own, other)
    if (own !== other) return
    const { api } = this.#names
    const { schema, name } = api.resolve(reference) ?? {}
    if (Array.isArray(ours)) this.#list(schema?.items, ours, theirs as unknown[], owner, field)
    else if (isObject(ours)) this.#object(schema, name ?? owner, ours, theirs as Json, name === undefined ? field : '')
    else this.#leaf(ours, theirs, owner, field)
  }

  /** @param within the field that an object without a name of its own is in */
  #object(schema: Schema | undefined, name: string | undefined, ours: Json, theirs: Json, within = ''): void {
    const { names } = this.#names.profile
    const identity = comparableOf(name).identity
    const id = identity === undefined || within !== '' ? undefined : ours[names.fields.toWire(identity)]
    if (name === 'WorkspaceType' && this.#hasOtherType(ours, theirs)) return
    const [wasAdopted, outer] = [this.#isAdopted, this.#resource]
    if (name !== undefined && RESOURCES.includes(name)) this.#resource = { schema: name, item: ours }
    if (typeof id === 'string') this.#isAdopted = this.#adopted.has(id)
    for (const wire of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
      const field = names.fields.fromWire(wire)
      const path = within === '' || within === 'Result' ? field : `${within}.${field}`
      const [isOurs, isTheirs] = [wire in ours, wire in theirs]
      const isDeclared = isOurs || schema?.properties === undefined || wire in schema.properties
      const aspect = isDeclared ? 'field' : 'further field'
      const key = { aspect, schema: name, field: path } as const
      if (isOurs && isTheirs) {
        this.note(key, true, undefined, undefined)
        this.#state(comparableOf(name).states?.[path], wire, ours, theirs)
        const added = path === field ? addedField(this.#names.profile, name, field) : undefined
        if (added === undefined) this.#value(schema?.properties?.[wire], ours[wire], theirs[wire], name, path)
        else this.#added(added, name!, ours[wire], theirs[wire], theirs)
      } else if (!comparableOf(name).occasional?.includes(path) || theirs[wire] === null) {
        this.note(key, false, isOurs ? ours[wire] : undefined, isTheirs ? theirs[wire] : undefined)
      }
    }
    this.#isAdopted = wasAdopted
    this.#resource = outer
  }

  /** Collects a state that both show. */
  #state(kind: StateKind | undefined, field: string, ours: Json, theirs: Json): void {
    const [own, word] = [ours[field], theirs[field]]
    if (kind === undefined || typeof own !== 'string' || typeof word !== 'string') return
    this.states.push({ kind, ours, theirs, state: this.#names.profile.words[kind].fromWire(own), word })
  }

  /** Compares the value of a field that the profile adds to an item, which is given as the service shows it. */
  #added(added: AnsweredField, schema: string, ours: unknown, theirs: unknown, item: Json): void {
    const { bindings, profile } = this.#names
    const { name: field, source, isStored = false } = added
    const place = { schema, field }
    if (source?.relations.length === 0) {
      // The service itself shows what is to be the same.
      const expected = valueAt(item, source.path.map(profile.names.fields.toWire))
      const agrees = isDeepStrictEqual(expected, theirs)
      if (agrees || !mayStandFor(theirs, expected)) this.note({ aspect: 'value', ...place }, agrees, expected, theirs)
      return
    }
    const isKnown = source === undefined ? !isStored || !this.#isAdopted : this.#isFixed(schema, field, ours)
    if (!isKnown) return
    const expected = bindings.toTheirs(ours)
    const agrees = isSameText(expected, theirs) || isDeepStrictEqual(ours, bindings.toOurs(theirs))
    // What no request sets is decided when all of its values are known.
    if (agrees || (source === undefined && !isStored) || !mayStandFor(theirs, expected)) {
      this.note({ aspect: 'value', ...place }, agrees, expected, theirs)
      if (!agrees && isStored && this.#resource?.schema === schema)
        this.otherValues.push({ ...this.#resource, field, theirs })
    }
  }

  /** Whether the value of a mirror follows from requests, because that of what it mirrors does. */
  #isFixed(schema: string, field: string, ours: unknown): boolean {
    const { catalogue, profile } = this.#names
    const mirror = profile.fields.properties.get(schema)?.[field] as { [MIRRORS]?: Mirrored } | undefined
    const { field: mirrored = '', of } = mirror?.[MIRRORS] ?? {}
    const { identity, stable, lists } = comparableOf(of)
    const list = lists?.[mirrored]
    if (this.#isAdopted || (list !== undefined && catalogue.isStandIn(list, String(ours)))) return false
    return mirrored === identity || stable?.includes(mirrored) === true
  }

  /** Whether a workspace has another type, of those that the mock knows. Then its figures need not be compared. */
  #hasOtherType(ours: Json, theirs: Json): boolean {
    const { catalogue, profile } = this.#names
    const wire = profile.names.fields.toWire('typeName')
    const [own, other] = [ours[wire], theirs[wire]]
    const isOther = own !== other && typeof other === 'string' && catalogue.has('workspace_types', other)
    if (isOther && !this.#isAdopted && !catalogue.isStandIn('workspace_types', String(own)))
      this.#noteValue({ schema: 'Workspace', field: 'workspace_type' }, own, other)
    return isOther
  }

  #list(items: Schema | undefined, ours: readonly unknown[], theirs: readonly unknown[], owner = '', field = ''): void {
    const { api, bindings } = this.#names
    const name = api.resolve(items)?.name
    const identity = comparableOf(name).identity
    if (identity === undefined || !isListOfObjects(ours) || !isListOfObjects(theirs)) {
      for (let i = 0; i < Math.min(ours.length, theirs.length); i++)
        this.#value(items, ours[i], theirs[i], owner === '' ? undefined : owner, field === '' ? undefined : field)
      return
    }
    const wire = this.#names.profile.names.fields.toWire(identity)
    const idOf = (item: Json) => String(item[wire])
    const time = this.#names.profile.names.fields.toWire('time')
    const list = CATALOGUE_LISTS[name!]
    const theirName = (id: string) =>
      name === 'org_handler.OrgRole' ? this.#names.catalogue.toTheirs('roles', id) : (bindings.theirsFor(id) ?? id)
    const pairs = paired(ours, theirs, (own) => theirName(idOf(own)), wire)
    // Those that appear for the first time are paired in their order.
    if (list === undefined && name !== 'org_handler.OrgRole') {
      const isNew = (item: Json) => bindings.theirsFor(idOf(item)) === undefined
      const freeOurs = pairs.onlyOurs.filter(isNew)
      const freeTheirs = pairs.onlyTheirs.filter((item) => bindings.oursFor(idOf(item)) === undefined)
      for (const [index, own] of freeOurs.entries()) {
        const other = name === 'Backup' ? freeTheirs.find((item) => areNear(own, item, time)) : freeTheirs[index]
        if (other === undefined) continue
        pairs.both.push([own, other])
        pairs.onlyOurs.splice(pairs.onlyOurs.indexOf(own), 1)
        pairs.onlyTheirs.splice(pairs.onlyTheirs.indexOf(other), 1)
        if (name === 'Backup') freeTheirs.splice(freeTheirs.indexOf(other), 1)
      }
    }
    for (const [own, other] of pairs.both) this.#value(items, own, other, owner, undefined)
    if (list !== undefined) {
      for (const item of pairs.onlyTheirs) this.note({ aspect: 'catalogue', subject: list }, false, undefined, item)
      for (const item of pairs.onlyOurs) this.note({ aspect: 'catalogue', subject: list }, false, item, undefined)
      return
    }
    const key = { aspect: 'order', schema: name } as const
    for (const item of pairs.onlyOurs) this.onlyOurs.push({ schema: name, item })
    for (const item of pairs.onlyTheirs) this.onlyTheirs.push({ schema: name, item })
    const ordered = new Map(pairs.both.filter(([own]) => !this.#adopted.has(idOf(own))))
    if (ordered.size < 2) return
    const expected = ours.map((own) => ordered.get(own)).filter((other) => other !== undefined)
    const left = new Set(expected)
    const shown = theirs.filter((item) => left.has(item))
    const agrees = expected.every((item, index) => item === shown[index])
    this.note(key, agrees, expected.map(idOf), shown.map(idOf))
  }

  #leaf(ours: unknown, theirs: unknown, owner: string | undefined, field: string | undefined): void {
    const { bindings, catalogue } = this.#names
    const { states, lists, words, stable } = comparableOf(owner)
    const place = { schema: owner, field }
    if (field === undefined || states?.[field] !== undefined) return
    if (typeof ours === 'string' && typeof theirs === 'string') {
      const list = lists?.[field]
      if (list !== undefined) {
        if (theirs === '' && ours === '') return
        const isKnown = catalogue.has(list, theirs)
        this.note(
          list === 'roles' ? { aspect: 'word', ...place } : { aspect: 'catalogue', subject: list, ...place },
          isKnown,
          ours,
          theirs
        )
        if (!isKnown || catalogue.isStandIn(list, ours)) return
      } else if (words?.includes(field) === true) {
        this.note({ aspect: 'word', ...place }, ours === theirs, ours, theirs)
        return
      } else if (isTimestamp(ours)) {
        this.note({ aspect: 'form', subject: 'timestamp', ...place }, formOf(theirs) === formOf(ours), ours, theirs)
        return
      } else if (isId(ours)) {
        if (!IDS_OF_ORG.includes(field))
          this.note({ aspect: 'form', subject: 'id', ...place }, this.#isIdOf(field, theirs), ours, theirs)
        if (!bindings.bind(ours, theirs) && field !== 'Result')
          this.note({ aspect: 'value', ...place }, false, bindings.toTheirs(ours), theirs)
        return
      } else if (TIMED.test(ours)) {
        this.note({ aspect: 'form', subject: 'name', ...place }, TIMED.test(theirs), ours, theirs)
        return
      } else if (hasId(ours)) {
        if (MASKED.test(theirs)) return
        const subject = field === 'srn' ? 'srn' : field === 'nginx_host' ? 'host' : 'id'
        const expected = bindings.toTheirs(ours)
        // An id that is part of another one, such as that at an identity provider.
        const agrees =
          expected === theirs ||
          (subject === 'id' && isOpaque(ours, theirs)) ||
          (subject === 'host' && isLikeHost(expected, theirs))
        this.note({ aspect: 'form', subject, ...place }, agrees, expected, theirs)
        return
      }
    }
    if (this.#isAdopted || owner === undefined || !stable?.includes(field)) {
      // The allow list may have entries that no reply has shown.
      if (this.#operation === 'getCurrentIP' && (ours === theirs || !this.#isWithinAdopted))
        this.note({ aspect: 'value', field }, ours === theirs, ours, theirs)
      return
    }
    const expected = bindings.toTheirs(ours)
    if (owner === 'WorkspaceType')
      this.note({ aspect: 'catalogue', subject: 'workspace_types', ...place }, expected === theirs, expected, theirs)
    else this.#noteValue({ schema: owner, field }, expected, theirs)
  }

  /** Whether a text has the form of the ids in a field. */
  #isIdOf(field: string, text: string): boolean {
    const { ids } = this.#names.profile.edge.replies ?? {}
    return ids?.fromWire(text) !== undefined || (ids?.hasForm(field) !== true && isId(text))
  }

  #noteValue(place: { readonly schema: string; readonly field: string }, ours: unknown, theirs: unknown): void {
    const key = kindOfDefault(ours) === undefined ? ({ aspect: 'value' } as const) : NAME_FORM
    const agrees = isSameText(ours, theirs)
    this.note({ ...key, ...place }, agrees, ours, theirs)
    if (!agrees && this.#resource !== undefined)
      this.otherValues.push({ ...this.#resource, field: place.field, theirs })
  }
}

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : value === undefined ? 'absent' : typeof value

const isListOfObjects = (list: readonly unknown[]): list is readonly Json[] => list.every(isObject)

/** Whether both have an id in the same place. */
const isOpaque = (ours: string, theirs: string) => /^[\w]+\|/.test(ours) === /^[\w]+\|/.test(theirs)

const NAME_FORM = { aspect: 'form', subject: 'name' } as const

/** The kind of what has this name because it was created without one: the rest is the beginning of its id. */
const kindOfDefault = (name: unknown) => /^(workgroup|workspace|database)-[\w.~-]{8}$/.exec(String(name))?.[1]

/** Whether two texts are the same, or default names of the same kind. */
const isSameText = (ours: unknown, theirs: unknown) =>
  ours === theirs || (kindOfDefault(ours) !== undefined && kindOfDefault(ours) === kindOfDefault(theirs))

/** The name of a workspace's host: its id, whatever domain that is in, and perhaps a port. */
const HOST = /^([^.:]+)\.[^:]+(:\d+)?$/

/** Whether a host has the expected id, and a port if it should. Each service has a domain of its own. */
function isLikeHost(expected: string, theirs: string): boolean {
  const [[, id, port] = [], [, ownId, ownPort] = []] = [theirs, expected].map((host) => HOST.exec(host) ?? [])
  return id !== undefined && id === ownId && port === ownPort
}

/** A message without what differs from run to run. */
const plain = (text: string) =>
  text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)/g, 'TIME')
    .replaceAll(/\b(workgroup|workspace|database)-[0-9a-f]{8}\b/g, '$1-ID')
    .trim()

/** How far the times of a backup may be apart in the mock and in the service. */
const NEAR_MS = 5000

/** Whether two items have nearly the same time; also if it cannot be read. */
function areNear(own: Json, other: Json, time: string): boolean {
  const [ours, theirs] = [instantOf(own[time]), instantOf(other[time])]
  return ours === undefined || theirs === undefined || Math.abs(ours - theirs) <= NEAR_MS
}

/** Finds the items that stand for each other. @param idOf the id of the service for an item of the mock */
function paired(ours: readonly Json[], theirs: readonly Json[], idOf: (own: Json) => string, wire: string) {
  const both: [Json, Json][] = []
  const onlyOurs: Json[] = []
  const left = new Map(theirs.map((item) => [String(item[wire]), item]))
  for (const own of ours) {
    const other = left.get(idOf(own))
    if (other === undefined) onlyOurs.push(own)
    else {
      left.delete(idOf(own))
      both.push([own, other])
    }
  }
  return { both, onlyOurs, onlyTheirs: [...left.values()] }
}
