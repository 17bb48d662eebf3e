import type { Comparison } from './comparison.js'
import { relevant } from './names-part.js'
import type { Notes } from './notes.js'
import type { Pairing } from './pairings.js'
import { payloadOf } from './payload.js'
import type { FieldRule, LearnedProfile } from './profile.js'
import { Samples } from './samples.js'
import type { Schema } from './schema.js'

type Parts = Required<Pick<LearnedProfile, 'fields' | 'omit'>>

/** More listed values are no enumeration that anybody reads. */
const MOST_VALUES = 100

/**
 * Fields that only the document has, and fields that only the mock has.
 * @param renamed new names of fields, by the mock's
 */
export function learnFields(comparison: Comparison, renamed: ReadonlyMap<string, string>, notes: Notes): Parts {
  const { pairings, sides } = comparison
  const fields = new Map<string, Map<string, FieldRule>>()
  const omit = new Map<string, string[]>()
  for (const pairing of relevant(pairings.all, pairings.named)) {
    learnAdded(pairing)
    learnMissing(pairing)
    learnMirrors(pairing)
    learnDoubtful(pairing)
  }
  setByRequests()
  return {
    fields: Object.fromEntries([...fields].map(([schema, rules]) => [schema, Object.fromEntries(rules)])),
    omit: Object.fromEntries(omit)
  }

  function add(schema: string, field: string, rule: FieldRule): void {
    const rules = fields.get(schema) ?? new Map<string, FieldRule>()
    fields.set(schema, rules.set(field, rule))
  }

  function learnAdded({ name, theirs, fields: { added } }: Pairing): void {
    for (const field of added) {
      if (name === undefined) {
        notes.doubt(['fields'], `${field} is in an object without a name, and cannot be added there.`)
        continue
      }
      if ([...renamed.keys()].includes(field))
        notes.doubt(['fields', name, field], `${field} is also the mock's own name of ${renamed.get(field)!}.`)
      const schema = sides.theirs.schemas.read(theirs.fields.get(field))
      add(name, field, ruleOf(schema))
      if (schema.type === undefined)
        notes.doubt(['fields', name, field], 'The document gives it no type; text is assumed.')
    }
  }

  function ruleOf(schema: Schema): FieldRule {
    const { type = 'string', values } = schema
    const value =
      type === 'array' && schema.default === undefined ? [] : new Samples(sides.theirs.schemas).of({ ...schema, type })
    const isListed = values.length > 0 && values.length <= MOST_VALUES
    return { type, ...(isListed ? { enum: [...values] } : {}), default: value }
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
  function learnMirrors({ name, uses, fields: { matches } }: Pairing): void {
    for (const { own, theirs } of matches) {
      if ((renamed.get(own) ?? own) === theirs) continue
      if (name !== undefined && uses.has('reply')) {
        add(name, theirs, { from: own })
        omit.set(name, [...(omit.get(name) ?? []), own])
        notes.explain(['fields', name, theirs], `${own} has this name here only, so it is no renaming.`)
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
    for (const { own, theirs } of doubtful)
      notes.doubt(
        ['fields', name, theirs],
        `It may be ${own}, which is ${uses.has('reply') ? 'left out' : 'still accepted'}. If it is, remove it here` +
          `${uses.has('reply') ? ' and below omit' : ''}, and add it to names: { fields: { ${own}: ${theirs} } }.`
      )
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
        for (const target of targets)
          if ('type' in target && target.type === (rule as { type?: string }).type) setBy(target, request)
        if (targets.some((target) => target !== rule)) rules!.delete(field)
        else if ('type' in rule) setBy(rule, request)
      }
      if (rules?.size === 0) fields.delete(request)
    }
  }
}

function setBy(rule: FieldRule, request: string): void {
  if ('type' in rule && rule.set_by?.includes(request) !== true) rule.set_by = [...(rule.set_by ?? []), request]
}
