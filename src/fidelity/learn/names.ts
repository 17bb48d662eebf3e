import { ERRORS } from '../../interface/errors.js'
import { groupBy } from '../../lib/group-by.js'
import { textOf } from '../../lib/json.js'
import { quantity } from '../../lib/quantity.js'
import { ORG_ROLES } from '../../profile/org-roles.js'
import { PREFIXES } from '../../resources/vocabulary.js'
import { errorTypeOf } from '../meaning.js'
import { plain } from '../openapi/words.js'
import { type Draft, seenTimes } from './draft.js'
import { differencesIn, type Evidence } from './evidence.js'

/** Learns new names of error types and roles, and prefixes of resource names. */
export function learnNames(evidence: Evidence, draft: Draft): void {
  for (const [type, { other, count }] of renamedTypes(evidence))
    draft.set(['names', 'values', type], other, `Seen in ${quantity(count, 'refusal')}.`)
  learnRoleNames(evidence, draft)
  learnPrefixes(evidence, draft)
}

/**
 * New names of error types: each is the only one, in all conditions, and that of no other type. A type with several
 * names differs by condition instead.
 */
export function renamedTypes({ refusals, profile }: Evidence): ReadonlyMap<string, { other: string; count: number }> {
  const known = Object.values(ERRORS).map(({ type }) => profile.names.values.toWire(type))
  const renamed = new Map<string, { other: string; count: number }>()
  for (const [type, refused] of groupBy(refusals, ({ condition }) => ERRORS[condition].type)) {
    const shown = refused.flatMap(({ exchange }) => textOf(errorTypeOf(profile, exchange.body)) ?? [])
    const [other = '', ...further] = new Set(shown)
    // With the type of another condition, the service refuses for another reason.
    if (other !== '' && further.length === 0 && !known.includes(other))
      renamed.set(type, { other, count: shown.length })
  }
  return renamed
}

function learnRoleNames({ sights, profile }: Evidence, draft: Draft): void {
  const { fields, values } = profile.names
  const roles = sights.filter(({ schema }) => schema === 'org_handler.OrgRole').map(({ value }) => value)
  const seen = groupBy(roles, (role) => role[fields.toWire('name')])
  for (const [name, group] of seen) {
    if (typeof name !== 'string' || Object.hasOwn(ORG_ROLES, values.fromWire(name))) continue
    const displayName = group.at(-1)![fields.toWire('displayName')]
    const free = Object.entries(ORG_ROLES).filter(([role]) => !seen.has(values.toWire(role)))
    const found = free.find(([, words]) => words === displayName) ?? free.find(([role]) => plain(role) === plain(name))
    if (found === undefined) draft.flag(['names', 'values'], `The mock has no role ${name}.`)
    else draft.set(['names', 'values', found[0]], name, `A role that was seen ${quantity(group.length, 'time')}.`)
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
  else draft.set(['names', 'prefixes', builtIn], prefix, seenTimes(Math.round(count)))
  for (const [other] of others) draft.flag(['names', 'prefixes', builtIn], `Some resource names begin with ${other}.`)
}
