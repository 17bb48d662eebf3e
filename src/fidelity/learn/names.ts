import { ERRORS } from '../../interface/errors.js'
import { groupBy } from '../../lib/group-by.js'
import { textOf } from '../../lib/json.js'
import { quantity } from '../../lib/quantity.js'
import { ORG_ROLES } from '../../profile/org-roles.js'
import { PREFIXES } from '../../resources/vocabulary.js'
import { CATALOGUED } from '../comparables.js'
import { errorTypeOf } from '../meaning.js'
import { valuesOf } from '../schema.js'
import { plain } from '../words.js'
import type { Described } from './described.js'
import { type Draft, seenTimes } from './draft.js'
import { differencesIn, type Evidence } from './evidence.js'
import { oneToOne } from './match.js'
import { hasSameContents } from './pairings.js'

/** A new name for a name, seen in one place. */
interface Vote {
  readonly own: string
  readonly theirs: string
}

export type Renames = ReturnType<typeof renamesIn>

/** Finds new names of fields, schemas and values. */
export function renamesIn({ own, theirs, names, pairings: { relevant, named } }: Described, draft: Draft) {
  const ofFields = relevant.flatMap(({ fields }) =>
    fields.matches.map((one) => ({ own: one.own.name, theirs: one.theirs.name }))
  )
  const ofSchemas = [...named].flatMap(([name, { theirName }]) =>
    theirName === undefined ? [] : { own: name, theirs: theirName }
  )
  return {
    fields: settle(ofFields, names.fields),
    schemas: settle(ofSchemas, names.schemas),
    values: settle(valueVotes(), names.values)
  }

  /** Values that differ only in brand and spelling. A list of the catalogue counts only as a whole. */
  function valueVotes(): Vote[] {
    return relevant.flatMap(({ name: schema = 'An unnamed object', fields: { matches } }) =>
      matches.flatMap(({ own: { name: field, schema: ours }, theirs: { schema: others } }) => {
        const [mine, yours] = [valuesOf(ours()), valuesOf(others())]
        if (mine.length === 0 || yours.length === 0) return []
        const byKey = new Map(yours.map((value) => [theirs.nameOf(value).key, value]))
        const pairs = mine.flatMap((name) => {
          const other = byKey.get(own.nameOf(name).key)
          return other === undefined ? [] : { own: name, theirs: other }
        })
        if (pairs.length === mine.length && mine.length === yours.length) return pairs
        if (CATALOGUED.has(field)) return []
        draft.flag(['names', 'values'], `${schema} has other values for ${field} in the document: ${yours.join(', ')}.`)
        return pairs
      })
    )
  }
}

/** Learns new names that a document shows. */
export function learnDocumentedNames(renames: Renames, { pairings }: Described, draft: Draft): void {
  for (const [kind, names] of Object.entries(renames))
    for (const [name, other] of names) draft.set(['names', kind, name], other)
  const matches = pairings.relevant.flatMap(({ fields }) => fields.matches)
  for (const [name, other] of renames.fields) {
    const own = matches.filter((one) => one.own.name === name && one.theirs.name === other)
    if (own.every(({ rule }) => rule === hasSameContents))
      draft.explain(['names', 'fields', name], 'Recognised by its contents, not by its name.')
  }
}

/** Settles one new name for each name that changes, so that no two known names become the same. */
function settle(votes: readonly Vote[], known: ReadonlySet<string>): Map<string, string> {
  const groups = groupBy(votes, ({ own, theirs }) => JSON.stringify([own, theirs]))
  const usual = [...groups.values()].sort((a, b) => b.length - a.length).map(([vote]) => vote!)
  // A name that one place keeps is kept everywhere: a new name would be wrong there.
  const kept = new Set(votes.flatMap(({ own, theirs }) => (own === theirs ? own : [])))
  const settled = oneToOne(usual.filter(({ own }) => !kept.has(own)))
  const renames = new Map(settled.map(({ own, theirs }) => [own, theirs]))
  // A known name that is kept cannot be the new name of another, which is then kept, too.
  for (;;) {
    const taken = [...renames].find(([, other]) => known.has(other) && !renames.has(other))
    if (taken === undefined)
      return new Map([...known].flatMap((name) => (renames.has(name) ? [[name, renames.get(name)!]] : [])))
    renames.delete(taken[0])
  }
}

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
