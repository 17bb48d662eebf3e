import { quantity } from '../../lib/quantity.js'
import { FIELD_NAME } from '../../profile/fields-document.js'
import { type Draft, same } from './draft.js'
import { differencesIn, type Evidence } from './evidence.js'
import { type FieldFacts, fieldFacts, renamedFields } from './field-facts.js'
import { ruleFor } from './further-field.js'

/** Follows from `states.deleted` in a profile. */
const OF_DELETED = 'deleted_at'

/** Learns renamed fields, fields that only the service has, and fields that only the mock has. */
export function learnFields(evidence: Evidence, draft: Draft): void {
  const facts = fieldFacts(evidence)
  const settled = new Set<string>()
  const keyOf = (schema: string, field: string) => `${schema}\n${field}`
  for (const { own, theirs, schemas, count, isEverywhere } of renamedFields(facts)) {
    // The new name of another field is not available.
    if (!FIELD_NAME.test(theirs) || evidence.profile.names.fields.toWire(theirs) !== theirs) continue
    for (const schema of schemas) {
      settled.add(keyOf(schema, own)).add(keyOf(schema, theirs))
      if (isEverywhere) continue
      const why = `${own} has this name only in ${schema}, so it is not renamed. ${quantity(count, 'value')} agreed.`
      draft.set(['fields', schema, theirs], { from: own }, why)
      omit(schema, own, why)
    }
    if (isEverywhere)
      draft.set(['names', 'fields', own], theirs, `The same values in ${quantity(count, 'sample')} of replies.`)
  }
  for (const fact of facts) {
    if (settled.has(keyOf(fact.schema, fact.field))) continue
    if (fact.onlyOurs > 0) learnMissing(fact)
    else if (fact.onlyTheirs > 0) learnFurther(fact)
  }
  relearn()

  function omit(schema: string, field: string, why: string): void {
    const omitted = omittedIn(schema)
    if (omitted.includes(field)) return
    draft.set(['omit', schema], [...omitted, field])
    draft.explain(['omit', schema], why)
  }

  function learnMissing({ schema, field, agreements, onlyOurs }: FieldFacts): void {
    if (draft.get(['fields', schema, field]) !== undefined) {
      if (agreements === 0) draft.remove(['fields', schema, field])
    } else if (agreements > 0)
      draft.flag(['omit'], `${field} of ${schema} is present only ${agreements} of ${agreements + onlyOurs} times.`)
    else omit(schema, field, `${field} was missing in ${quantity(onlyOurs, 'object')}.`)
  }

  function learnFurther({ schema, field }: FieldFacts): void {
    const omitted = omittedIn(schema)
    const left = omitted.filter((one) => one !== field)
    if (left.length < omitted.length) draft.replace(['omit', schema], left)
    else if (field !== OF_DELETED) learnRule(schema, field)
  }

  function omittedIn(schema: string): readonly string[] {
    return (draft.get(['omit', schema]) ?? []) as readonly string[]
  }

  /** Learns fields from a document again, because exchanges win. */
  function relearn(): void {
    const documented = evidence.profile.document.fields ?? {}
    const others = differencesIn(evidence, 'value').map(({ key }) => keyOf(key.schema ?? '', key.field ?? ''))
    for (const [schema, rules] of Object.entries(documented))
      for (const [field, rule] of Object.entries(rules))
        if (rule.type !== undefined || others.includes(keyOf(schema, field))) learnRule(schema, field)
  }

  function learnRule(schema: string, field: string): void {
    const { api, profile, sights } = evidence
    const objects = sights.filter((sight) => sight.schema === schema)
    const wire = profile.names.fields.toWire(field)
    const holders = objects.filter(({ value }) => wire in value)
    if (holders.length === 0) return
    const place = ['fields', schema, field]
    const added = new Set(Object.keys(profile.document.fields?.[schema] ?? {}))
    if (!added.has(field) && api.hasField(schema, wire)) {
      draft.flag(
        ['fields'],
        `${field} of ${schema} is in ${holders.length} of ${quantity(objects.length, 'object')}, ` +
          'and also where the mock lacks it.'
      )
      return
    }
    const { rule, unset } = ruleFor(evidence, schema, wire, holders, holders.length < objects.length)
    if (typeof rule === 'string')
      draft.flag(
        ['fields', schema],
        `${field} of ${schema} was seen in ${holders.length} of ${quantity(objects.length, 'object')}; ${rule}.`
      )
    else if (!same(draft.get(place), rule)) {
      draft.set(place, rule, `Seen in ${quantity(holders.length, 'object')}.`)
      if ('const' in rule && (rule.const === null || rule.const === ''))
        draft.doubt(place, 'It was always empty, so its other values are unknown.')
      if (rule.type !== undefined && rule.set_by === undefined)
        draft.doubt(place, 'It varies, but no request sets it; the mock always shows the default.')
      const chosen = [...new Set(unset.map((value) => JSON.stringify(value)))]
      if ('default' in rule && rule.set_by !== undefined && chosen.length > 1)
        draft.doubt(place, `Requests without it got ${chosen.join(' and ')}, so it depends on something else.`)
    }
  }
}
