import { isIP } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../lib/json.js'
import type { AnsweredField, Extra } from '../profile/fields.js'
import type { Profile } from '../profile/profile.js'
import { SHOWN_RESOURCES } from '../resources/tables.js'
import { isId } from './bindings.js'
import type { Entry } from './fact-book.js'

/** The field of a name that a profile adds to the replies of a schema; undefined if it adds none. */
export function addedField(
  { fields }: Profile,
  schema: string | undefined,
  field: string | undefined
): AnsweredField | undefined {
  return schema === undefined ? undefined : fields.answered.get(schema)?.find(({ name }) => name === field)
}

/** The added fields that the mock stores for a resource, with the values that a reply shows. */
export function extraIn(
  { fields }: Profile,
  schema: string,
  valueOf: (field: string) => unknown
): { readonly extra?: Extra } {
  const kind = SHOWN_RESOURCES.get(schema)?.kind
  if (kind === undefined) return {}
  const shown = Object.keys(fields.stored.get(kind) ?? {}).map((field) => [field, valueOf(field)] as const)
  const extra = fields.fitting(kind, Object.fromEntries(shown.filter(([, value]) => value !== undefined)))
  return extra === undefined ? {} : { extra }
}

/** A pseudonym, except those that have the same form as the text. */
const PSEUDONYM =
  /^(?:name|text)-[0-9a-z]{12}-*$|^user-[0-9a-z]{12}@example\.test$|\bhost-[0-9a-z]{12}\.example\.test\b/

/** Masking keeps smaller numbers. */
const LEAST_MASKED = 1000

/** Whether a value of the service could be a masked value of the mock. */
export function couldMask(theirs: unknown, ours: unknown): boolean {
  if (typeof theirs === 'string' && typeof ours === 'string')
    return theirs === ours || (PSEUDONYM.test(theirs) && !PSEUDONYM.test(ours)) || haveSameForm(theirs, ours)
  if (typeof theirs === 'number' && typeof ours === 'number')
    return theirs === ours || (Math.abs(theirs) >= LEAST_MASKED && String(theirs).length === String(ours).length)
  if (Array.isArray(theirs) && Array.isArray(ours))
    return theirs.length === ours.length && theirs.every((item, index) => couldMask(item, ours[index]))
  if (!isObject(theirs) || !isObject(ours)) return theirs === ours
  const names = Object.keys(theirs)
  return names.length === Object.keys(ours).length && names.every((name) => couldMask(theirs[name], ours[name]))
}

/** Whether both are ids, addresses, or equally many digits, whose pseudonyms look like them. */
const haveSameForm = (theirs: string, ours: string) =>
  (isId(theirs) && isId(ours)) ||
  (isIP(theirs) !== 0 && isIP(theirs) === isIP(ours)) ||
  (/^\d+$/.test(theirs + ours) && theirs.length === ours.length)

/**
 * Omits differences that exchanges cannot prove, in fields that no request sets: values that may be masked, and
 * several values where the profile has only a default.
 */
export function decided(entries: readonly Entry[], profile: Profile): readonly Entry[] {
  const unset = entries.filter(({ key: { aspect, schema, field } }) => {
    const added = aspect === 'value' ? addedField(profile, schema, field) : undefined
    return added !== undefined && added.source === undefined && added.isStored !== true
  })
  return entries.filter((entry) => !unset.includes(entry) || entry.differences === 0 || isDecided(entry))

  function isDecided({ key: { schema, field } }: Entry): boolean {
    const own = unset.filter(({ key }) => key.schema === schema && key.field === field)
    const examples = own.flatMap((one) => one.examples)
    const { ours, theirs } = examples[0]!
    const varies =
      own.some(({ agreements }) => agreements > 0) || examples.some((one) => !isDeepStrictEqual(one.theirs, theirs))
    const isConstant = addedField(profile, schema, field)!.schema === undefined
    return isConstant ? varies || !couldMask(theirs, ours) : !varies && !couldMask(theirs, ours)
  }
}
