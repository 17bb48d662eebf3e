import type { FieldDocument } from '../../profile/fields.js'
import { FIELD_NAME } from '../../profile/fields-document.js'
import type { Draft } from '../learn/draft.js'
import type { Comparison } from './comparison.js'
import { relevant } from './names-part.js'
import type { Pairing } from './pairings.js'
import { payloadOf } from './payload.js'
import { fits, Samples } from './samples.js'
import type { Schema } from './schema.js'

type FieldRule = { -readonly [Name in keyof FieldDocument]: FieldDocument[Name] }

/** More listed values are no enumeration that anybody reads. */
const MOST_VALUES = 100

/** Fields that only the document has, and fields that only the mock has. New names are given by the mock's. */
export function learnFields(
  comparison: Comparison,
  renamed: ReadonlyMap<string, string>,
  values: ReadonlyMap<string, string>,
  notes: Draft
) {
  const { pairings, sides } = comparison
  // A profile has the names inside, and renames what it adds as well.
  const innerNames = new Map([...renamed].map(([own, theirs]) => [theirs, own]))
  const innerValues = new Map<unknown, unknown>([...values].map(([own, theirs]) => [theirs, own]))
  const fields = new Map<string, Map<string, FieldRule>>()
  const omit = new Map<string, string[]>()
  /** Those whose default is in no document, and about which nothing else is said. */
  const invented = new Set<FieldRule>()
  for (const pairing of relevant(pairings.all, pairings.named)) {
    learnAdded(pairing)
    learnMissing(pairing)
    learnMirrors(pairing)
    learnDoubtful(pairing)
  }
  setByRequests()
  doubtInvented()
  return {
    fields: Object.fromEntries([...fields].map(([schema, rules]) => [schema, Object.fromEntries(rules)])),
    omit: Object.fromEntries(omit)
  }

  function add(schema: string, field: string, rule: FieldRule): void {
    const rules = fields.get(schema) ?? new Map<string, FieldRule>()
    fields.set(schema, rules.set(field, rule))
  }

  function learnAdded({ name, own, theirs, fields: { added } }: Pairing): void {
    for (const field of added) {
      if (name === undefined) {
        notes.doubt(['fields'], `${field} is in an object without a name, and cannot be added there.`)
        continue
      }
      const inner = innerNameOf(field, name, own)
      if (inner === undefined) continue
      if (renamed.has(field))
        notes.doubt(['fields', name, inner], `${field} is also the mock's own name of ${renamed.get(field)!}.`)
      const schema = sides.theirs.schemas.read(theirs.fields.get(field))
      add(name, inner, ruleOf(schema))
      if (schema.type === undefined)
        notes.doubt(['fields', name, inner], 'The document gives it no type; text is assumed.')
    }
  }

  /** The name of a field that is to travel under another one; undefined if it cannot be added. */
  function innerNameOf(field: string, name: string, own: Schema): string | undefined {
    const inner = innerNames.get(field) ?? field
    if (FIELD_NAME.test(inner) && !own.fields.has(inner)) return inner
    notes.doubt(
      ['fields', name],
      FIELD_NAME.test(inner)
        ? `${field} of ${name} cannot be added, because it is the new name of another field of the mock.`
        : `A profile cannot add ${field} to ${name}: it has only names of letters, digits, _, $, @ and -.`
    )
    return undefined
  }

  function ruleOf(schema: Schema): FieldRule {
    const { type = 'string' } = schema
    const values = schema.values.filter((value) => fits(value, { type, values: [] }))
    const samples = new Samples(sides.theirs.schemas)
    const value = type === 'array' && schema.default === undefined ? [] : samples.of({ ...schema, type, values })
    const isListed = values.length > 0 && values.length <= MOST_VALUES
    const innerValueOf = (one: unknown) => innerValues.get(one) ?? one
    const rule: FieldRule = {
      type,
      ...(isListed ? { enum: values.map(innerValueOf) } : {}),
      ...(schema.nullable ? { nullable: true } : {}),
      default: isListed ? innerValueOf(value) : value
    }
    if (value === '' && schema.type !== undefined && schema.default !== '' && schema.example !== '') invented.add(rule)
    return rule
  }

  function doubtInvented(): void {
    for (const [schema, rules] of fields)
      for (const [field, rule] of rules)
        if (invented.has(rule))
          notes.doubt(['fields', schema, field], 'The document has no example of it; here it is an empty text.')
  }

  function learnMissing({ name, own, uses, fields: { missing } }: Pairing): void {
    for (const field of missing) {
      if (name !== undefined && uses.has('reply')) omit.set(name, [...(omit.get(name) ?? []), field])
      else if (own.required.has(field))
        notes.doubt(['omit'], `The mock requires ${field} in ${name ?? 'a body'}, but the document does not have it.`)
      else if (uses.has('reply'))
        notes.doubt(['omit'], `The document lacks ${field} in an object without a name, where it cannot be left out.`)
    }
  }

  /** A field that has another new name elsewhere, or none, is answered under the one that it has here. */
  function learnMirrors({ name, own: ours, uses, fields: { matches } }: Pairing): void {
    for (const { own, theirs } of matches) {
      if ((renamed.get(own) ?? own) === theirs) continue
      if (name !== undefined && uses.has('reply')) {
        const inner = innerNameOf(theirs, name, ours)
        if (inner === undefined) continue
        add(name, inner, { from: own })
        omit.set(name, [...(omit.get(name) ?? []), own])
        notes.explain(['fields', name, inner], `${own} has this name here only, so it is no renaming.`)
      }
      if (name === undefined || uses.has('request'))
        notes.doubt(
          ['names', 'fields'],
          `${own} is ${theirs} in ${name ?? 'an object without a name'}, but not everywhere, so it is not renamed.`
        )
    }
  }

  function learnDoubtful({ name, uses, fields: { doubtful } }: Pairing): void {
    if (name === undefined) return
    for (const { own, theirs } of doubtful) {
      const rule = fields.get(name)?.get(theirs)
      if (rule !== undefined) invented.delete(rule)
      notes.doubt(
        ['fields', name, theirs],
        `${theirs} of ${name} may be ${own}, which is ${uses.has('reply') ? 'left out' : 'still accepted'}. ` +
          `If it is, remove it from fields${uses.has('reply') ? ' and omit' : ''}, ` +
          `and add it to names: { fields: { ${own}: ${theirs} } }.`
      )
    }
  }

  /** A field that a reply and the body of the same operation have is set by that body. */
  function setByRequests(): void {
    const requests = new Set<string>()
    const replies = new Map<string, Set<string>>()
    for (const { own } of comparison.operations.matches) {
      const payload = payloadOf(own.reply, sides.own.schemas)
      const reply = payload?.items === undefined ? payload : sides.own.schemas.read(payload.items)
      const body = own.body?.name
      if (body === undefined) continue
      requests.add(body)
      if (reply?.name !== undefined) replies.set(body, (replies.get(body) ?? new Set()).add(reply.name))
    }
    for (const request of requests) {
      const rules = fields.get(request)
      for (const [field, rule] of rules ?? []) {
        const targets = [...(replies.get(request) ?? [])].flatMap((reply) => fields.get(reply)?.get(field) ?? [])
        for (const target of targets) if (target.type !== undefined && target.type === rule.type) setBy(target, request)
        if (targets.some((target) => target !== rule)) rules!.delete(field)
        else if (rule.type !== undefined) setBy(rule, request)
      }
      if (rules?.size === 0) fields.delete(request)
    }
  }
}

function setBy(rule: FieldRule, request: string): void {
  if (rule.set_by?.includes(request) !== true) rule.set_by = [...(rule.set_by ?? []), request]
}
