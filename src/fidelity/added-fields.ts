import { isIP } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../lib/json.js'
import type { AnsweredField, Extra } from '../profile/fields.js'
import type { Profile } from '../profile/profile.js'
import { KIND_NAMES, STORED_KINDS } from '../profile/stored-kinds.js'
import { isId } from './bindings.js'
import type { Entry } from './fact-book.js'

/** A field that a profile adds to the replies of a schema; undefined: it adds none of that name. */
export function addedField(
  { fields }: Profile,
  schema: string | undefined,
  field: string | undefined
): AnsweredField | undefined {
  return schema === undefined ? undefined : fields.answered.get(schema)?.find(({ name }) => name === field)
}

/** The values of added fields that a resource keeps, as a reply shows it. */
export function extraIn(
  { fields }: Profile,
  schema: string,
  valueOf: (field: string) => unknown
): { readonly extra?: Extra } {
  const kind = KIND_NAMES.find((name) => (STORED_KINDS[name].schemas as readonly string[]).includes(schema))
  if (kind === undefined) return {}
  const shown = Object.keys(fields.stored.get(kind) ?? {}).map((field) => [field, valueOf(field)] as const)
  const extra = fields.fitting(kind, Object.fromEntries(shown.filter(([, value]) => value !== undefined)))
  return extra === undefined ? {} : { extra }
}

/** What stands for a text that has been masked, of any kind but those that keep their form. */
const PSEUDONYM =
  /^(?:name|text)-[0-9a-z]{12}-*$|^user-[0-9a-z]{12}@example\.test$|\bhost-[0-9a-z]{12}\.example\.test\b/

/** Smaller numbers are never replaced. */
const LEAST_MASKED = 1000

/** Whether a value of the service may be what has replaced a value of the mock. */
export function mayStandFor(theirs: unknown, ours: unknown): boolean {
  if (typeof theirs === 'string' && typeof ours === 'string')
    return theirs === ours || (PSEUDONYM.test(theirs) && !PSEUDONYM.test(ours)) || haveSameForm(theirs, ours)
  if (typeof theirs === 'number' && typeof ours === 'number')
    return theirs === ours || (Math.abs(theirs) >= LEAST_MASKED && String(theirs).length === String(ours).length)
  if (Array.isArray(theirs) && Array.isArray(ours))
    return theirs.length === ours.length && theirs.every((item, index) => mayStandFor(item, ours[index]))
  if (!isObject(theirs) || !isObject(ours)) return theirs === ours
  const names = Object.keys(theirs)
  return names.length === Object.keys(ours).length && names.every((name) => mayStandFor(theirs[name], ours[name]))
}

/** Whether both are ids, addresses, or digits of the same number: what replaces these looks like them. */
const haveSameForm = (theirs: string, ours: string) =>
  (isId(theirs) && isId(ours)) ||
  (isIP(theirs) !== 0 && isIP(theirs) === isIP(ours)) ||
  (/^\d+$/.test(theirs + ours) && theirs.length === ours.length)

/**
 * Leaves out what exchanges do not decide about fields that no request sets: a value that may only be masked, and
 * several values where a profile has but a default.
 */
export function decided(entries: readonly Entry[], profile: Profile): readonly Entry[] {
  const isUnset = ({ key: { aspect, schema, field } }: Entry) => {
    const added = aspect === 'value' ? addedField(profile, schema, field) : undefined
    return added !== undefined && added.source === undefined && added.isStored !== true
  }
  const unset = entries.filter(isUnset)
  return entries.filter((entry) => !unset.includes(entry) || entry.differences === 0 || isDecided(entry))

  function isDecided({ key: { schema, field } }: Entry): boolean {
    const own = unset.filter(({ key }) => key.schema === schema && key.field === field)
    const examples = own.flatMap((one) => one.examples)
    const [{ ours, theirs }] = examples as [(typeof examples)[number]]
    const varies =
      own.some(({ agreements }) => agreements > 0) || examples.some((one) => !isDeepStrictEqual(one.theirs, theirs))
    const isConstant = addedField(profile, schema, field)!.schema === undefined
    return isConstant ? varies || !mayStandFor(theirs, ours) : !varies && !mayStandFor(theirs, ours)
  }
}
