import { ERRORS } from '../../interface/errors.js'
import { ORG_ROLES } from '../../profile/org-roles.js'
import { PREFIXES } from '../../resources/vocabulary.js'
import { plain } from '../openapi/words.js'
import { type Draft, times } from './draft.js'
import { differencesIn, type Evidence } from './evidence.js'

/** Words of closed vocabularies, and the beginnings of resource names. Fields are renamed with further fields. */
export function learnNames(evidence: Evidence, draft: Draft): void {
  learnErrorTypes(evidence, draft)
  learnRoleNames(evidence, draft)
  learnPrefixes(evidence, draft)
}

function learnErrorTypes(evidence: Evidence, draft: Draft): void {
  for (const [type, { other, count }] of renamedTypes(evidence))
    draft.set(['names', 'values', type], other, `Seen in ${times(count, 'refusal')}.`)
}

/**
 * The types of errors that have another name: one that they have in all conditions, and that no other type has. Where
 * one has several names, they are types of conditions.
 */
export function renamedTypes({ facts, profile }: Evidence): ReadonlyMap<string, { other: string; count: number }> {
  const { toWire } = profile.names.values
  const seen = new Map<string, { readonly others: Map<string, number>; agreements: number }>()
  for (const { key, agreements, differences, examples } of facts) {
    if (key.aspect !== 'error type' || key.condition === undefined) continue
    const { type } = ERRORS[key.condition]
    const one = seen.get(type) ?? { others: new Map<string, number>(), agreements: 0 }
    seen.set(type, one)
    one.agreements += agreements
    for (const { ours, theirs } of examples)
      if (ours === toWire(type) && typeof theirs === 'string')
        one.others.set(theirs, (one.others.get(theirs) ?? 0) + differences)
  }
  // That of another type: the service refuses for another reason.
  const isTaken = (other: string) => Object.values(ERRORS).some(({ type }) => toWire(type) === other)
  return new Map(
    [...seen].flatMap(([type, { others, agreements }]) => {
      const [[other, count] = ['', 0], ...further] = [...others]
      const isRenamed = other !== '' && !isTaken(other) && agreements === 0 && further.length === 0
      return isRenamed ? [[type, { other, count }] as const] : []
    })
  )
}

function learnRoleNames({ sights, profile }: Evidence, draft: Draft): void {
  const { fields, values } = profile.names
  const counts = new Map<string, { displayName: unknown; count: number }>()
  for (const { schema, value } of sights) {
    const name = value[fields.toWire('name')]
    if (schema !== 'org_handler.OrgRole' || typeof name !== 'string') continue
    const known = counts.get(name)
    counts.set(name, { displayName: value[fields.toWire('displayName')], count: (known?.count ?? 0) + 1 })
  }
  const isKnown = (name: string) => Object.hasOwn(ORG_ROLES, values.fromWire(name))
  for (const [name, { displayName, count }] of counts) {
    if (isKnown(name)) continue
    const free = Object.entries(ORG_ROLES).filter(([own]) => !counts.has(values.toWire(own)))
    const found = free.find(([, words]) => words === displayName) ?? free.find(([own]) => plain(own) === plain(name))
    if (found === undefined) draft.doubt(['names', 'values'], `${name} is none of the roles that the mock has.`)
    else draft.set(['names', 'values', found[0]], name, `A role that was seen ${times(count, 'time')}.`)
  }
}

function learnPrefixes(evidence: Evidence, draft: Draft): void {
  const { srn: builtIn = '' } = PREFIXES
  const ours = evidence.profile.names.prefixes.toWire(builtIn)
  const found = new Map<string, number>()
  for (const { key, examples, differences } of differencesIn(evidence, 'form')) {
    if (key.subject !== 'srn') continue
    for (const { ours: own, theirs } of examples) {
      if (typeof own !== 'string' || typeof theirs !== 'string' || !own.startsWith(ours)) continue
      const rest = own.slice(ours.length)
      const prefix = theirs.endsWith(rest) ? theirs.slice(0, -rest.length) : ''
      if (/^\S+$/.test(prefix)) found.set(prefix, (found.get(prefix) ?? 0) + differences / examples.length)
    }
  }
  const [[prefix, count] = ['', 0], ...others] = [...found].sort(([, a], [, b]) => b - a)
  if (prefix === '') return
  if (prefix === builtIn) draft.remove(['names', 'prefixes', builtIn])
  else draft.set(['names', 'prefixes', builtIn], prefix, `Seen ${times(Math.round(count), 'time')}.`)
  for (const [other] of others) draft.doubt(['names', 'prefixes', builtIn], `Some resource names begin with ${other}.`)
}
