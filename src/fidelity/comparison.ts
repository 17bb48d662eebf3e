import { isDeepStrictEqual } from 'node:util'
import { isObject, type Json, valueAt } from '../lib/json.js'
import { parsed } from '../lib/parsed.js'
import { type AnsweredField, type Mirrored, MIRRORS } from '../profile/fields.js'
import { MEMBERS } from '../profile/replies.js'
import { TEXT_RESULTS } from '../profile/routes.js'
import type { StateKind } from '../profile/states.js'
import { addedField, couldMask } from './added-fields.js'
import type { Call } from './api.js'
import { hasId, isId } from './bindings.js'
import { catalogueListOf, comparableOf, RESOURCES } from './comparables.js'
import type { Exchange } from './exchange.js'
import type { LooseFact, LooseKey } from './fact-book.js'
import { membersOf } from './meaning.js'
import type { Session } from './replay/session.js'
import type { Schema } from './schema.js'
import { instantOf, timeFormOf } from './timing.js'

/** A field with a state that both replies have. */
export interface StatePair {
  readonly kind: StateKind
  /** The objects that have the field. */
  readonly ours: Json
  readonly theirs: Json
  /** The built-in name of the mock's state. */
  readonly state: string
  /** The service's word. */
  readonly word: string
}

/** A value in which a resource differs. */
export interface OtherValue {
  readonly schema: string
  /** The mock's resource. */
  readonly item: Json
  readonly field: string
  readonly theirs: unknown
}

/** An item that only one reply has. */
export interface Unmatched {
  readonly schema: string | undefined
  readonly item: Json
}

const isTimestamp = (value: unknown): value is string => typeof value === 'string' && timeFormOf(value) !== undefined

const isFilledList = (value: unknown) => Array.isArray(value) && value.length > 0

/** A pseudonym that does not have the form of the text, or a secret in an exchange. */
const MASKED = /^(?:(?:name|text)-[0-9a-z]{12}-*|\*\*\*)$/

/** The tag of a backup, which contains its time. */
const TIMED = /^(?:automatic|manual)-\d{4}-/

const ENVELOPE: readonly string[] = MEMBERS

/** Fields with the id of the org. No assumption is about its form. */
const IDS_OF_ORG = ['org_id', 'tenantID']

export type Comparison = ReturnType<typeof compareReplies>

/** Nothing that could be compared. */
export const INCOMPARABLE: Comparison = { facts: [], states: [], onlyOurs: [], onlyTheirs: [], otherValues: [] }

/**
 * Compares the body of a reply of the mock with that of the service, field by field.
 * @param ours the body of the mock's reply; both replies are successes, or both are errors
 */
export function compareReplies(
  { api, adopted, bindings, catalogue, profile, states }: Session,
  { body, status, number }: Exchange,
  { operation, params }: Call,
  ours: unknown
) {
  const facts: LooseFact[] = []
  const shown: StatePair[] = []
  const onlyOurs: Unmatched[] = []
  const onlyTheirs: Unmatched[] = []
  const otherValues: OtherValue[] = []
  const { toWire, fromWire } = profile.names.fields
  const [outermost = ''] = Object.values(params)
  const isWithinAdopted = adopted.has(bindings.oursFor(outermost) ?? outermost)
  /** Whether the value that is being compared is from before the exchanges. */
  let isAdopted = false
  /** The innermost resource that is being compared. */
  let resource: { readonly schema: string; readonly item: Json } | undefined
  const schema = api.replySchema(operation)
  const isSuccess = status !== null && status < 400
  if (isObject(ours) && toWire('RequestID') in ours) compareEnvelope(ours)
  else if (isSuccess && (ours !== undefined || body !== undefined))
    compareValue(schema, ours, body, undefined, 'Result')
  return { facts, states: shown, onlyOurs, onlyTheirs, otherValues }

  function note(key: LooseKey, agrees: boolean, ours: unknown, theirs: unknown): void {
    facts.push({ ...key, operation, agrees, ours, theirs, exchange: number })
  }

  function compareEnvelope(ours: Json): void {
    if (!isObject(body)) {
      // For 204, the difference in status says it.
      if (status !== 204) note({ aspect: 'envelope' }, false, 'an object', typeOf(body))
      return
    }
    const both = (field: string) => [ours[toWire(field)], body[toWire(field)]] as const
    const key = { aspect: 'envelope', subject: isSuccess ? undefined : 'error' } as const
    for (const field of ENVELOPE) {
      const [own, other] = both(field)
      if (own === undefined && other === undefined) continue
      // The types of results are compared with their values.
      const hasAnyType = field === 'Result' && isSuccess
      const agrees = own !== undefined && other !== undefined && (hasAnyType || typeOf(own) === typeOf(other))
      note({ ...key, field }, agrees, typeOf(own), typeOf(other))
    }
    for (const name of Object.keys(body)) {
      if (name in ours || ENVELOPE.includes(fromWire(name))) continue
      note({ ...key, field: fromWire(name) }, false, undefined, typeOf(body[name]))
    }
    const isInBoth = (field: string) => both(field).every((value) => value !== undefined)
    const orderIn = (envelope: Json) => membersOf(profile, envelope).filter(isInBoth)
    const [order, theirs] = [orderIn(ours), orderIn(body)]
    if (order.length > 1)
      note({ aspect: 'envelope', subject: 'order' }, isDeepStrictEqual(order, theirs), order, theirs)
    if (!isSuccess) {
      const [own, other] = both('ErrorDetails')
      if (Array.isArray(own) && Array.isArray(other)) compareValue(api.listOf('middleware.Error'), own, other)
      return
    }
    const result = schema?.fields.get(toWire('Result'))?.schema()
    const [own, other] = both('Result')
    const items = TEXT_RESULTS.get(operation)
    if (items !== undefined && typeof own === 'string' && typeof other === 'string')
      compareValue(api.listOf(items), parsed(own), parsed(other))
    else if (own !== undefined && other !== undefined) compareValue(result, own, other, undefined, 'Result')
    // After the result, which binds the ids that a message can contain.
    compareMessage(...both('Message'))
  }

  function compareMessage(ours: unknown, theirs: unknown): void {
    if (typeof ours !== 'string' || typeof theirs !== 'string') return
    const expected = withoutVariables(bindings.toTheirs(ours))
    const agrees = states.hide(expected) === states.hide(withoutVariables(theirs))
    note({ aspect: 'message' }, agrees, expected, theirs)
  }

  /** @param owner the schema of the object that has the value */
  function compareValue(
    schema: Schema | undefined,
    ours: unknown,
    theirs: unknown,
    owner?: string,
    field?: string
  ): void {
    const [own, other] = [typeOf(ours), typeOf(theirs)]
    const place = { schema: owner, field }
    if (isTimestamp(ours) && own !== other) {
      note({ aspect: 'form', subject: 'timestamp', ...place }, false, ours, theirs)
      return
    }
    // null stands for an empty list; the other list has entries that only this reply shows.
    if (own !== other && [own, other].includes('null') && isFilledList(own === 'null' ? theirs : ours)) return
    if (field !== undefined || own !== other) note({ aspect: 'type', ...place }, own === other, own, other)
    if (own !== other) return
    const name = api.nameOf(schema)
    if (Array.isArray(ours)) compareList(schema?.items?.(), ours, theirs as unknown[], owner, field)
    else if (isObject(ours)) compareObject(schema, name ?? owner, ours, theirs as Json, name === undefined ? field : '')
    else compareLeaf(ours, theirs, owner, field)
  }

  /** @param within the field that an object without a named schema is in */
  function compareObject(
    schema: Schema | undefined,
    name: string | undefined,
    ours: Json,
    theirs: Json,
    within = ''
  ): void {
    const { identity, sent } = comparableOf(name)
    const id = identity === undefined || within !== '' ? undefined : ours[toWire(identity)]
    if (name === 'WorkspaceType' && hasOtherType(ours, theirs)) return
    const [wasAdopted, outer] = [isAdopted, resource]
    if (name !== undefined && RESOURCES.includes(name)) resource = { schema: name, item: ours }
    for (const wire of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
      const field = fromWire(wire)
      const path = within === '' || within === 'Result' ? field : `${within}.${field}`
      const [isOurs, isTheirs] = [wire in ours, wire in theirs]
      const isDeclared = isOurs || schema === undefined || schema.fields.size === 0 || schema.fields.has(wire)
      const aspect = isDeclared ? 'field' : 'further field'
      const key = { aspect, schema: name, field: path } as const
      if (typeof id === 'string') isAdopted = adopted.get(id)?.has(sent?.[path] ?? path) === false
      if (isOurs && isTheirs) {
        note(key, true, undefined, undefined)
        noteState(comparableOf(name).states?.[path], wire, ours, theirs)
        const added = path === field ? addedField(profile, name, field) : undefined
        if (added === undefined) compareValue(schema?.fields.get(wire)?.schema(), ours[wire], theirs[wire], name, path)
        else compareAdded(added, name!, ours[wire], theirs[wire], theirs)
      } else if (!comparableOf(name).occasional?.includes(path) || theirs[wire] === null) {
        note(key, false, isOurs ? ours[wire] : undefined, isTheirs ? theirs[wire] : undefined)
      }
    }
    isAdopted = wasAdopted
    resource = outer
  }

  function noteState(kind: StateKind | undefined, field: string, ours: Json, theirs: Json): void {
    const [own, word] = [ours[field], theirs[field]]
    if (kind === undefined || typeof own !== 'string' || typeof word !== 'string') return
    shown.push({ kind, ours, theirs, state: profile.words[kind].fromWire(own), word })
  }

  /** Compares the value of a field that the profile adds. @param item the service's object that has the field */
  function compareAdded(added: AnsweredField, schema: string, ours: unknown, theirs: unknown, item: Json): void {
    const { name: field, source, isStored = false } = added
    const place = { schema, field }
    const isBeside = source?.relations.length === 0
    const mirrored = isBeside ? valueAt(item, source.path.map(toWire)) : undefined
    // If the service lacks the mirrored field, this may be its new name.
    if (mirrored !== undefined) {
      const agrees = isDeepStrictEqual(mirrored, theirs)
      if (agrees || !couldMask(theirs, mirrored)) note({ aspect: 'value', ...place }, agrees, mirrored, theirs)
      return
    }
    const isKnown = source === undefined ? !isStored || !isAdopted : isFixed(schema, field, ours)
    if (!isKnown) return
    const expected = bindings.toTheirs(ours)
    const agrees = isSameText(expected, theirs) || isDeepStrictEqual(ours, bindings.toOurs(theirs))
    // `decided()` judges fields that no request sets when all of their values are known.
    if (agrees || (source === undefined && !isStored) || !couldMask(theirs, expected)) {
      note({ aspect: 'value', ...place }, agrees, expected, theirs)
      if (!agrees && isStored && resource?.schema === schema) otherValues.push({ ...resource, field, theirs })
    }
  }

  /** Whether requests determine the value of a mirror, because they determine that of the mirrored field. */
  function isFixed(schema: string, field: string, ours: unknown): boolean {
    const mirror = profile.fields.properties.get(schema)?.[field] as { [MIRRORS]?: Mirrored } | undefined
    const { field: mirrored = '', of } = mirror?.[MIRRORS] ?? {}
    const { identity, stable } = comparableOf(of)
    const list = catalogueListOf(of, mirrored)
    if (isAdopted || (list !== undefined && catalogue.isStandIn(list, String(ours)))) return false
    return mirrored === identity || stable?.includes(mirrored) === true
  }

  /** Whether a workspace has another type that the mock knows. Then its size need not be compared. */
  function hasOtherType(ours: Json, theirs: Json): boolean {
    const wire = toWire('typeName')
    const [own, other] = [ours[wire], theirs[wire]]
    const isOther = own !== other && typeof other === 'string' && catalogue.has('workspace_types', other)
    if (isOther && !isAdopted && !catalogue.isStandIn('workspace_types', String(own)))
      noteValue({ schema: 'Workspace', field: 'workspace_type' }, own, other)
    return isOther
  }

  function compareList(
    items: Schema | undefined,
    ours: readonly unknown[],
    theirs: readonly unknown[],
    owner?: string,
    field?: string
  ) {
    const name = api.nameOf(items)
    const { identity } = comparableOf(name)
    if (identity === undefined || !isListOfObjects(ours) || !isListOfObjects(theirs)) {
      for (let i = 0; i < Math.min(ours.length, theirs.length); i++)
        compareValue(items, ours[i], theirs[i], owner, field)
      return
    }
    const wire = toWire(identity)
    const idOf = (item: Json) => String(item[wire])
    const from = catalogueListOf(name, identity)
    const isRole = from === 'roles'
    const list = isRole ? undefined : from
    const pairs = paired(ours, theirs, idOf, (id) =>
      isRole ? catalogue.toTheirs('roles', id) : (bindings.theirsFor(id) ?? id)
    )
    if (from === undefined) pairNew(pairs, idOf, name)
    for (const [own, other] of pairs.both) compareValue(items, own, other, owner)
    if (list !== undefined) {
      for (const item of pairs.onlyTheirs) note({ aspect: 'catalogue', subject: list }, false, undefined, item)
      for (const item of pairs.onlyOurs) note({ aspect: 'catalogue', subject: list }, false, item, undefined)
      return
    }
    for (const item of pairs.onlyOurs) onlyOurs.push({ schema: name, item })
    for (const item of pairs.onlyTheirs) onlyTheirs.push({ schema: name, item })
    const ordered = new Map(pairs.both.filter(([own]) => !adopted.has(idOf(own))))
    if (ordered.size < 2) return
    const expected = ours.map((own) => ordered.get(own)).filter((other) => other !== undefined)
    const common = new Set(expected)
    const shown = theirs.filter((item) => common.has(item))
    const agrees = expected.every((item, index) => item === shown[index])
    note({ aspect: 'order', schema: name }, agrees, expected.map(idOf), shown.map(idOf))
  }

  /** Pairs items that both show for the first time, in order; backups by their times. */
  function pairNew(pairs: Pairs, idOf: (item: Json) => string, schema: string | undefined): void {
    const time = toWire('time')
    const newTheirs = pairs.onlyTheirs.filter((item) => bindings.oursFor(idOf(item)) === undefined)
    for (const own of pairs.onlyOurs.filter((item) => bindings.theirsFor(idOf(item)) === undefined)) {
      const index = schema === 'Backup' ? newTheirs.findIndex((item) => areNear(own, item, time)) : 0
      const [other] = index < 0 ? [] : newTheirs.splice(index, 1)
      if (other === undefined) continue
      pairs.both.push([own, other])
      pairs.onlyOurs.splice(pairs.onlyOurs.indexOf(own), 1)
      pairs.onlyTheirs.splice(pairs.onlyTheirs.indexOf(other), 1)
    }
  }

  function compareLeaf(ours: unknown, theirs: unknown, owner: string | undefined, field: string | undefined): void {
    if (field === undefined || comparableOf(owner).states?.[field] !== undefined) return
    if (typeof ours === 'string' && typeof theirs === 'string' && compareText(ours, theirs, owner, field)) return
    if (isAdopted || owner === undefined || !comparableOf(owner).stable?.includes(field)) {
      // An adopted allow list may have entries that no reply has shown.
      if (operation === 'getCurrentIP' && (ours === theirs || !isWithinAdopted))
        note({ aspect: 'value', field }, ours === theirs, ours, theirs)
      return
    }
    const expected = bindings.toTheirs(ours)
    const place = { schema: owner, field }
    if (owner === 'WorkspaceType')
      note({ aspect: 'catalogue', subject: 'workspace_types', ...place }, expected === theirs, expected, theirs)
    else noteValue(place, expected, theirs)
  }

  /** Compares texts of a vocabulary or of a known form. @returns whether nothing else is to be compared */
  function compareText(ours: string, theirs: string, owner: string | undefined, field: string): boolean {
    const place = { schema: owner, field }
    const list = catalogueListOf(owner, field)
    if (list !== undefined) {
      if (ours === '' && theirs === '') return true
      const isKnown = catalogue.has(list, theirs)
      const key = list === 'roles' ? ({ aspect: 'word' } as const) : ({ aspect: 'catalogue', subject: list } as const)
      note({ ...key, ...place }, isKnown, ours, theirs)
      return !isKnown || catalogue.isStandIn(list, ours)
    }
    if (comparableOf(owner).words?.includes(field) === true)
      note({ aspect: 'word', ...place }, ours === theirs, ours, theirs)
    else if (isTimestamp(ours))
      note({ aspect: 'form', subject: 'timestamp', ...place }, timeFormOf(theirs) === timeFormOf(ours), ours, theirs)
    else if (isId(ours)) {
      if (!IDS_OF_ORG.includes(field))
        note({ aspect: 'form', subject: 'id', ...place }, isIdOf(field, theirs), ours, theirs)
      if (!bindings.bind(ours, theirs) && field !== 'Result')
        note({ aspect: 'value', ...place }, false, bindings.toTheirs(ours), theirs)
    } else if (TIMED.test(ours)) note({ aspect: 'form', subject: 'name', ...place }, TIMED.test(theirs), ours, theirs)
    else if (hasId(ours)) {
      if (MASKED.test(theirs)) return true
      const subject = field === 'srn' ? 'srn' : field === 'nginx_host' ? 'host' : 'id'
      const expected = bindings.toTheirs(ours)
      const agrees =
        expected === theirs ||
        (subject === 'id' && IN_PROVIDER.test(ours) === IN_PROVIDER.test(theirs)) ||
        (subject === 'host' && isLikeHost(expected, theirs))
      note({ aspect: 'form', subject, ...place }, agrees, expected, theirs)
    } else return false
    return true
  }

  /** Whether a text has the form of the ids in a field. */
  function isIdOf(field: string, text: string): boolean {
    const { ids } = profile.edge.replies ?? {}
    return ids?.fromWire(text) !== undefined || (ids?.hasForm(field) !== true && isId(text))
  }

  function noteValue(place: { readonly schema: string; readonly field: string }, ours: unknown, theirs: unknown): void {
    const key = kindOfDefault(ours) === undefined ? ({ aspect: 'value' } as const) : NAME_FORM
    const agrees = isSameText(ours, theirs)
    note({ ...key, ...place }, agrees, ours, theirs)
    if (!agrees && resource !== undefined) otherValues.push({ ...resource, field: place.field, theirs })
  }
}

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : value === undefined ? 'absent' : typeof value

const isListOfObjects = (list: readonly unknown[]): list is readonly Json[] => list.every(isObject)

/** An id at an identity provider, such as `auth0|…`. */
const IN_PROVIDER = /^\w+\|/

const NAME_FORM = { aspect: 'form', subject: 'name' } as const

/** The kind of resource that has a default name, which ends with the first digits of its id. */
const kindOfDefault = (name: unknown) => /^(workgroup|workspace|database)-[\w.~-]{8}$/.exec(String(name))?.[1]

/** Whether two texts are the same, or default names of the same kind. */
const isSameText = (ours: unknown, theirs: unknown) =>
  ours === theirs || (kindOfDefault(ours) !== undefined && kindOfDefault(ours) === kindOfDefault(theirs))

/** A workspace's host: its id in any domain, possibly with a port. */
const HOST = /^([^.:]+)\.[^:]+(:\d+)?$/

/** Whether a host has the expected id and port. Each service has its own domain. */
function isLikeHost(expected: string, theirs: string): boolean {
  const [[, id, port] = [], [, ownId, ownPort] = []] = [theirs, expected].map((host) => HOST.exec(host) ?? [])
  return id !== undefined && id === ownId && port === ownPort
}

/** A message without parts that differ from run to run. */
const withoutVariables = (text: string) =>
  text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)/g, 'TIME')
    .replaceAll(/\b(workgroup|workspace|database)-[0-9a-f]{8}\b/g, '$1-ID')
    .trim()

/** How far the times of one backup may differ. */
const NEAR_MS = 5000

/** Whether two items have nearly the same time, or one that cannot be read. */
function areNear(own: Json, other: Json, time: string): boolean {
  const [ours, theirs] = [instantOf(own[time]), instantOf(other[time])]
  return ours === undefined || theirs === undefined || Math.abs(ours - theirs) <= NEAR_MS
}

/** The items of two lists. */
interface Pairs {
  readonly both: [ours: Json, theirs: Json][]
  readonly onlyOurs: Json[]
  readonly onlyTheirs: Json[]
}

/** Pairs the items of the mock and of the service by id. */
function paired(
  ours: readonly Json[],
  theirs: readonly Json[],
  idOf: (item: Json) => string,
  toTheirs: (id: string) => string
): Pairs {
  const left = new Map(theirs.map((item) => [idOf(item), item]))
  const both: [Json, Json][] = []
  const onlyOurs: Json[] = []
  for (const own of ours) {
    const id = toTheirs(idOf(own))
    const other = left.get(id)
    if (other === undefined) onlyOurs.push(own)
    else both.push([own, other])
    left.delete(id)
  }
  return { both, onlyOurs, onlyTheirs: [...left.values()] }
}
