import type { FieldError } from '../interface/errors.js'
import { heapSize } from '../journal/budget.js'
import { objectOf } from '../lib/json.js'
import { countFields, MOST_FIELDS } from '../lib/subset.js'
import { DURATION_FORMS, parseDuration, toIsoDuration } from '../lib/time.js'
import { randomFrom } from '../sim/random.js'
import type { Fault, FaultEffect, FaultState } from './fault-schemas.js'
import type { Sandbox } from './sandbox.js'

/** Maximum memory of the wanted body, because a request reads all rules. */
const MOST_BYTES = 64 * 1024

/**
 * Field errors of a rule that its schema cannot detect. The rule may have any shape.
 * @param path dotted path of the rule in the input; empty if it is the whole input
 */
export function faultRuleErrors(rule: unknown, path: string): FieldError[] {
  const { phase, effect, operation, body } = objectOf(rule)
  const errors: FieldError[] = []
  const add = (field: string, reason: string) => {
    errors.push({ field: path === '' ? field : `${path}.${field}`, reason })
  }
  if (countFields(body) > MOST_FIELDS)
    add('body', `must have at most ${MOST_FIELDS} fields, at any depth; name those that matter`)
  else if (heapSize(body, MOST_BYTES) > MOST_BYTES) add('body', 'must take at most 64 KiB; name the fields that matter')
  if (typeof effect !== 'object' || effect === null) return errors
  const { status, delay, reply, stale, ...ofStatus } = objectOf(effect)
  if (status === undefined && delay === undefined && reply === undefined && stale === undefined)
    add('effect', 'must have at least one of status, delay, reply, stale')
  if (typeof status === 'number' && status > 200 && status < 400)
    add('effect.status', 'must be 200, or from 400 to 599')
  if (status !== undefined && reply !== undefined) add('effect.reply', 'cannot be combined with status')
  if (stale !== undefined) {
    const { by, writes } = objectOf(stale)
    if ((by === undefined) === (writes === undefined)) add('effect.stale', 'must have exactly one of by and writes')
    if (typeof by === 'string' && !isLongEnough(by))
      add('effect.stale.by', `must be a duration ${DURATION_FORMS}, without months or years, and more than zero`)
    if (status !== undefined || reply !== undefined) add('effect.stale', 'cannot be combined with status or reply')
    if (typeof operation === 'string' && !/^(?:get|list)/.test(operation))
      add('operation', 'must be a read with effect.stale')
    if (phase === 'after-commit') add('phase', 'must be before with effect.stale')
  }
  for (const field of ['error_type', 'reason', 'retry_after']) {
    if (status === undefined && ofStatus[field] !== undefined) add(`effect.${field}`, 'is allowed only with status')
  }
  if (reply === 'cut' && phase === 'before')
    add('phase', 'must be after-commit with reply cut; before the work there is no reply to cut')
  for (const [field, reason] of delayErrors(delay)) add(field, reason)
  return errors
}

function isLongEnough(text: string): boolean {
  const duration = parseDuration(text)
  return duration !== undefined && duration.months === 0 && duration.milliseconds > 0
}

const MAX_DELAY = 10 * 60_000

function delayErrors(delay: unknown): [field: string, reason: string][] {
  const { min, max } = objectOf(delay)
  const all = { 'effect.delay': delay, 'effect.delay.min': min, 'effect.delay.max': max }
  const errors = Object.entries(all)
    .filter(([, text]) => typeof text === 'string' && delayTime(text) === undefined)
    .map(([field]): [string, string] => [field, `must be a duration ${DURATION_FORMS}, and at most PT10M`])
  const isReversed =
    errors.length === 0 && typeof min === 'string' && typeof max === 'string' && delayTime(min)! > delayTime(max)!
  return isReversed ? [['effect.delay.max', `must be at least effect.delay.min, ${min}`]] : errors
}

/** Milliseconds of a delay; undefined if it is invalid or too long. */
function delayTime(text: string): number | undefined {
  const duration = parseDuration(text)
  return duration === undefined || duration.months > 0 || duration.milliseconds > MAX_DELAY
    ? undefined
    : duration.milliseconds
}

/** A fault rule as it is stored: with its defaults. */
export type StoredFault = Fault & Required<Pick<Fault, 'after' | 'probability' | 'phase'>>

/** Milliseconds to delay the request for which a rule has just fired: repeatable, like the decision to fire. */
export function delayOf(
  { random }: Sandbox,
  number: number,
  { seen, effect: { delay } }: Pick<StoredFault, 'seen' | 'effect'>
): number {
  if (delay === undefined) return 0
  if (typeof delay === 'string') return delayTime(delay)!
  const [min, max] = [delayTime(delay.min)!, delayTime(delay.max)!]
  return min + randomFrom('delay', random.seed, number, seen).fraction() * (max - min)
}

/** Fills in the defaults of a checked rule, and writes its durations in ISO 8601. */
export function withDefaults({ after = 0, probability = 1, phase, effect, ...rest }: Fault): StoredFault {
  return {
    ...rest,
    after,
    probability,
    phase: phase ?? (effect.reply === 'cut' ? 'after-commit' : 'before'),
    effect: withIsoDurations(effect)
  }
}

function withIsoDurations(effect: FaultEffect): FaultEffect {
  const { delay, stale } = effect
  const iso =
    delay === undefined || typeof delay === 'string'
      ? delay && toIsoDuration(delay)
      : { min: toIsoDuration(delay.min), max: toIsoDuration(delay.max) }
  return {
    ...effect,
    ...(iso === undefined ? {} : { delay: iso }),
    ...(stale?.by === undefined ? {} : { stale: { by: toIsoDuration(stale.by) } })
  }
}

/** The rules of a state document as they are stored. One without an id gets the number after the previous one. */
export function storedFaults(faults: readonly FaultState[]): StoredFault[] {
  let last = 0
  return faults.map((fault) => {
    last = fault.id === undefined ? last + 1 : numberOf(fault.id)!
    return withDefaults({ seen: 0, hits: 0, ...fault, id: faultId(last) })
  })
}

/** Field errors of the ids of rules in a state document. Rules are tried in the order of their numbers. */
export function faultIdErrors(faults: readonly Pick<FaultState, 'id'>[], path: string): FieldError[] {
  let last = 0
  return faults.flatMap(({ id }, index) => {
    // After the last possible id there is none.
    const number = numberOf(id ?? faultId(last + 1)) ?? 0
    if (number <= last)
      return [{ field: `${path}.${index}.id`, reason: `must be above that of the rule before it, ${faultId(last)}` }]
    last = number
    return []
  })
}

export function faultId(number: number): string {
  return `fault-${number}`
}

/** The number in an id; undefined if the id is invalid. */
export function numberOf(id: string): number | undefined {
  const digits = /^fault-([1-9]\d{0,14})$/.exec(id)?.[1]
  return digits === undefined ? undefined : Number(digits)
}
