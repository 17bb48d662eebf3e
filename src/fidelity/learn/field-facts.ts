import { groupBy } from '../../lib/group-by.js'
import { parseTimestamp } from '../../lib/time.js'
import { isId } from '../bindings.js'
import { comparableOf } from '../comparables.js'
import { wordsIn } from '../words.js'
import type { Evidence } from './evidence.js'
import { oneToOne } from './match.js'

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
  const votes = missing
    .flatMap((own) => added.filter(({ schema }) => schema === own.schema).map((theirs) => compare(own, theirs)))
    .filter(({ isAlike, isNamedAlike, isTelling }) => isAlike && (isNamedAlike || isTelling))
    // Names that share a word come first, then values that few other fields have.
    .sort((a, b) => +b.isNamedAlike - +a.isNamedAlike || +b.isTelling - +a.isTelling || b.count - a.count)
  return [...groupBy(oneToOne(votes), ({ own, theirs }) => `${own.field} ${theirs.field}`).values()].map((group) => {
    const { own, theirs } = group[0]!
    const schemas = group.map((pair) => pair.own.schema)
    return {
      own: own.field,
      theirs: theirs.field,
      schemas,
      count: group.reduce((sum, { count }) => sum + count, 0),
      isEverywhere: !facts.some(
        ({ schema, field, agreements, onlyOurs }) =>
          field === own.field && !schemas.includes(schema) && agreements + onlyOurs > 0
      )
    }
  })
}

/** The name of a field with a state. */
const STATE = /stat(?:e|us)$|^phase$/i

/** Compares the values and names of two fields. If they neither tell nor share a word, they may agree by chance. */
function compare(own: FieldFacts, theirs: FieldFacts) {
  // The words for states may differ, too.
  const isState = comparableOf(own.schema).states?.[own.field] !== undefined && STATE.test(theirs.field)
  const found = own.examples.flatMap(({ ours, operation, exchange }) => {
    const values = theirs.examples.filter((one) => one.operation === operation)
    const inSame = values.filter((one) => one.exchange === exchange)
    const isFound = (inSame.length > 0 ? inSame : values).some(
      (one) => kindOf(one.theirs) === kindOf(ours) || (isState && ours !== '' && typeof one.theirs === 'string')
    )
    return values.length > 0 ? { ours, isFound } : []
  })
  const sharesWord = wordsIn(own.field).some((word) => word.length > 2 && wordsIn(theirs.field).includes(word))
  return {
    own,
    theirs,
    isAlike: found.length > 0 && found.every(({ isFound }) => isFound),
    count: found.length,
    isNamedAlike: sharesWord || isState,
    isTelling: found.some(({ ours, isFound }) => isFound && isTellingValue(ours))
  }
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
