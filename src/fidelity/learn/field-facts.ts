import { groupBy } from '../../lib/group-by.js'
import { parseTimestamp } from '../../lib/time.js'
import { isId } from '../bindings.js'
import { wordsIn } from '../openapi/words.js'
import type { Evidence } from './evidence.js'

export type FieldFacts = ReturnType<typeof fieldFacts>[number]

/** The comparison's facts about each field of a named schema, over all operations. */
export function fieldFacts({ facts }: Evidence) {
  const ofFields = facts.filter(
    ({ key: { aspect, schema, field = '' } }) =>
      (aspect === 'field' || aspect === 'further field') && schema !== undefined && !field.includes('.')
  )
  return [...groupBy(ofFields, ({ key: { schema, field } }) => `${schema} ${field}`).values()].map((entries) => {
    const { schema = '', field = '' } = entries[0]!.key
    const onlyOn = (isTheirs: boolean) =>
      entries
        .filter(({ examples }) => examples.some(({ theirs }) => (theirs !== undefined) === isTheirs))
        .reduce((sum, { differences }) => sum + differences, 0)
    return {
      schema,
      field,
      /** How often both the mock and the service have it. */
      agreements: entries.reduce((sum, entry) => sum + entry.agreements, 0),
      onlyOurs: onlyOn(false),
      onlyTheirs: onlyOn(true),
      examples: entries.flatMap((entry) => entry.examples)
    }
  })
}

/**
 * Pairs fields that only the mock has with fields that only the service has, by their values and names.
 * @returns for each new name, its schemas, the number of equal values, and whether the field has it everywhere
 */
export function renamedFields(facts: readonly FieldFacts[]) {
  const missing = facts.filter(({ onlyOurs, agreements, onlyTheirs }) => onlyOurs > 0 && agreements + onlyTheirs === 0)
  const added = facts.filter(({ onlyTheirs, agreements, onlyOurs }) => onlyTheirs > 0 && agreements + onlyOurs === 0)
  const votes: { own: FieldFacts; theirs: FieldFacts; score: number; count: number }[] = []
  for (const own of missing)
    for (const theirs of added) {
      if (theirs.schema !== own.schema) continue
      const { isAlike, isTelling, count } = compare(own, theirs)
      const isNamedAlike = wordsIn(own.field).some((word) => word.length > 2 && wordsIn(theirs.field).includes(word))
      if (isAlike && (isTelling || isNamedAlike))
        votes.push({ own, theirs, count, score: (isNamedAlike ? 2 : 0) + (isTelling ? 1 : 0) })
    }
  votes.sort((a, b) => b.score - a.score || b.count - a.count)
  const taken = new Set<FieldFacts>()
  const pairs = new Map<string, { own: string; theirs: string; schemas: string[]; count: number }>()
  for (const { own, theirs, count } of votes) {
    if (taken.has(own) || taken.has(theirs)) continue
    taken.add(own).add(theirs)
    const key = `${own.field} ${theirs.field}`
    const pair = pairs.get(key) ?? { own: own.field, theirs: theirs.field, schemas: [], count: 0 }
    pairs.set(key, pair)
    pair.schemas.push(own.schema)
    pair.count += count
  }
  return [...pairs.values()].map((pair) => ({
    ...pair,
    isEverywhere: facts.every(
      ({ schema, field, agreements, onlyOurs }) =>
        field !== pair.own || pair.schemas.includes(schema) || (agreements === 0 && onlyOurs === 0)
    )
  }))
}

/** Whether the values of two fields agree, and whether that is more than chance. */
function compare(own: FieldFacts, theirs: FieldFacts) {
  let count = 0
  let isAlike = true
  let isTelling = false
  for (const { ours, operation, exchange } of own.examples) {
    const values = theirs.examples.filter((one) => one.operation === operation)
    if (values.length === 0) continue
    const kind = kindOf(ours)
    const inSame = values.filter((one) => one.exchange === exchange)
    const isFound = (inSame.length > 0 ? inSame : values).some((one) => kindOf(one.theirs) === kind)
    if (isFound) count++
    else isAlike = false
    if (isFound && isTellingValue(ours)) isTelling = true
  }
  return { isAlike: isAlike && count > 0, isTelling, count }
}

/** Equal for values that the mock and the service may show for the same thing. */
function kindOf(value: unknown): string {
  if (typeof value === 'string' && isId(value)) return 'id'
  if (typeof value === 'string' && parseTimestamp(value) !== undefined) return 'timestamp'
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return Array.isArray(value) ? 'array' : `object of ${Object.keys(value).sort().join()}`
}

/** Whether few other fields are likely to have the same value. */
const isTellingValue = (value: unknown) =>
  typeof value === 'string'
    ? value.length > 2
    : typeof value === 'number'
      ? value > 1
      : typeof value === 'object' && value !== null && Object.keys(value).length > 0
