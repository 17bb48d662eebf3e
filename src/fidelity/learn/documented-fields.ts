import { objectOf } from '../../lib/json.js'
import type { FieldDocument } from '../../profile/fields.js'
import type { Field, Schema } from '../schema.js'
import type { Described } from './described.js'
import type { Draft } from './draft.js'
import type { Renames } from './names.js'
import type { Pairing } from './pairings.js'
import { fits, sampleOf } from './samples.js'

type FieldRule = { -readonly [Name in keyof FieldDocument]: FieldDocument[Name] }

/** Learns fields that only the document has, and fields that only the mock has. */
export function learnDocumentedFields({ pairings, operations }: Described, renames: Renames, draft: Draft) {
  // A profile uses built-in names, and renames added fields, too.
  const innerNames = new Map([...renames.fields].map(([own, theirs]) => [theirs, own]))
  const innerValues = new Map<unknown, unknown>([...renames.values].map(([own, theirs]) => [theirs, own]))
  const omit: Record<string, string[]> = {}
  for (const pairing of pairings.relevant) learnPairing(pairing)
  setByRequests()
  for (const [schema, names] of Object.entries(omit)) draft.set(['omit', schema], names)

  function learnPairing({ name, own, uses, fields }: Pairing): void {
    const { matches } = fields
    // A new name can be recognised by contents that only another schema shows.
    const isKnown = (one: Field, other: Field) => renames.fields.get(one.name) === other.name
    const missing = fields.missing.filter((one) => !fields.added.some((other) => isKnown(one, other)))
    const added = fields.added.filter((other) => !fields.missing.some((one) => isKnown(one, other)))
    const doubtful = fields.doubtful.filter(({ own, theirs }) => missing.includes(own) && added.includes(theirs))
    if (name === undefined) {
      if (added.length > 0) draft.flag(['fields'], `An unnamed object also has ${listed(added)}.`)
      if (missing.length > 0) draft.flag(['omit'], `An unnamed object lacks ${listed(missing)}.`)
      return
    }
    const isAnswered = uses.has('reply')
    for (const { name: field, schema } of added) {
      add(name, field, ruleOf(schema()))
      if (isAnswered && schema().isWriteOnly === true) leaveOut(name, innerNames.get(field) ?? field)
      if (schema().type === undefined)
        draft.flag(['fields', name, field], 'The document gives it no type; text is assumed.')
    }
    for (const { name: field } of missing) {
      if (isAnswered) leaveOut(name, field)
      else if (own.required.has(field))
        draft.flag(['omit'], `The mock requires ${field} in ${name}, but the document lacks it.`)
    }
    for (const {
      own: { name: field },
      theirs: { name: other }
    } of matches) {
      if ((renames.fields.get(field) ?? field) === other) continue
      draft.flag(['names', 'fields'], `${field} is ${other} in ${name}, but not everywhere, so it is not renamed.`)
      if (!isAnswered) continue
      add(name, other, { from: field })
      leaveOut(name, field)
    }
    for (const {
      own: { name: field },
      theirs: { name: other }
    } of doubtful)
      draft.flag(
        ['fields', name, other],
        `${other} of ${name} may be ${field}. If it is, remove it from fields${isAnswered ? ' and omit' : ''}, ` +
          `and add it to names: { fields: { ${field}: ${other} } }.`
      )
  }

  function add(schema: string, field: string, rule: FieldRule): void {
    draft.set(['fields', schema, innerNames.get(field) ?? field], rule)
  }

  function leaveOut(schema: string, field: string): void {
    omit[schema] = [...(omit[schema] ?? []), field]
  }

  function ruleOf(schema: Schema): FieldRule {
    const { type = 'string' } = schema
    const values = schema.values.filter((value) => fits(value, { type, values: [] }))
    const value = type === 'array' ? [] : sampleOf({ ...schema, type, values })
    const innerValueOf = (one: unknown) => innerValues.get(one) ?? one
    return {
      type,
      ...(values.length > 0 ? { enum: values.map(innerValueOf) } : {}),
      ...(schema.nullable ? { nullable: true } : {}),
      default: innerValueOf(value)
    }
  }

  /** An added field that both the body and the reply of an operation have is set by that body. */
  function setByRequests(): void {
    for (const { own } of operations.matches) {
      const request = own.body?.name ?? ''
      const reply = (own.payload?.items?.() ?? own.payload)?.name ?? ''
      const added = Object.entries(objectOf(draft.get(['fields', request]))) as [string, FieldRule][]
      for (const [field, rule] of added) {
        const target = draft.get(['fields', reply, field]) as FieldRule | undefined
        if (target === undefined || target === rule) setBy(rule, request)
        else {
          if (target.type === rule.type) setBy(target, request)
          draft.remove(['fields', request, field])
        }
      }
    }
  }
}

const listed = (fields: readonly Field[]) => fields.map(({ name }) => name).join(', ')

function setBy(rule: FieldRule, request: string): void {
  if (rule.type !== undefined && rule.set_by?.includes(request) !== true)
    rule.set_by = [...(rule.set_by ?? []), request]
}
