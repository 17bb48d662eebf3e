import { isDeepStrictEqual } from 'node:util'
import { type FieldError, invalidBody, ServiceError } from '../../interface/errors.js'
import type { Shape } from '../../interface/schemas.js'
import type { RequestEntry } from '../../journal/journal.js'
import { isObject } from '../../lib/json.js'
import { mask } from '../../lib/mask.js'
import { countFields, MOST_FIELDS } from '../../lib/subset.js'
import type { Sandbox } from '../../sandboxes/sandbox.js'
import { checkOperation } from './requests.js'
import type { ExpectationSchema } from './schemas.js'

type Expectation = Shape<typeof ExpectationSchema>
/** An expected call. */
type CallPattern = NonNullable<Expectation['sequence']>[number]

/** Maximum number of near misses reported, and of differences for each. */
const MISSES = 3
const SENTENCES = 20

/** A near miss, and in words why it does not match. */
interface Miss {
  readonly id: string
  readonly reasons: readonly string[]
}

/** A value that differs from the expected one. */
interface Difference {
  readonly path: string
  readonly actual: unknown
  readonly wanted: unknown
}

/**
 * Checks that the interface was called as expected.
 * @throws {ServiceError} saying what was expected and what was found, with the nearest calls; or that the expectation
 * itself is invalid
 */
export function verify({ journal }: Sandbox, expectation: Expectation) {
  const errors = fieldErrorsOf(expectation)
  if (errors.length > 0) throw invalidBody(errors)
  const { sequence, times } = expectation
  const patterns = patternsOf(expectation)
  patterns.forEach(({ operation }, index) =>
    checkOperation(sequence === undefined ? 'operation' : `sequence.${index}.operation`, operation)
  )
  if (!journal.isOn)
    throw new ServiceError('notAllowed', 'The journal is off (--journal-requests 0), so nothing can be verified.')
  const requests = journal.requests()
  // The journal masks secrets, so they are neither compared nor shown.
  const masked = mask(patterns)
  const isUnknown = ({ operation, isBodyOmitted }: RequestEntry) =>
    isBodyOmitted === true &&
    patterns.some((pattern) => pattern.operation === operation && pattern.where?.body !== undefined)
  const gone =
    (journal.dropped === 0
      ? ''
      : ` Older requests (${journal.dropped}) are not in the journal any more and were not looked at.`) +
    (requests.some(isUnknown) ? ' Some bodies were too large to be kept and were not looked at.' : '')
  const matches =
    sequence === undefined
      ? verifyCall(requests, masked[0]!, times ?? { atLeast: 1 }, gone)
      : verifySequence(requests, masked, gone)
  return { matches: matches.map(({ id }) => id), count: matches.length }
}

function verifyCall(
  requests: readonly RequestEntry[],
  pattern: CallPattern,
  times: NonNullable<Expectation['times']>,
  gone: string
): RequestEntry[] {
  const { operation, where } = pattern
  const matches = requests.filter((request) => isMatch(request, pattern))
  const count = matches.length
  const often = `${count} ${count === 1 ? 'time' : 'times'}`
  const { exactly, atLeast = exactly ?? 0, atMost = exactly ?? Infinity } = times
  if (count >= atLeast && count <= atMost) {
    // There may have been more among the dropped ones.
    if (gone !== '' && atMost !== Infinity) {
      throw new ServiceError(
        'notAllowed',
        `${operation} was found ${often}, but that may not be all.${gone} ` +
          'Clear the journal before what is to be verified, or raise --journal-requests and --journal-bytes.'
      )
    }
    return matches
  }
  const bounds = Object.entries({ exactly, 'at least': times.atLeast, 'at most': times.atMost }).flatMap(
    ([name, bound]) => (bound === undefined ? [] : [`${name} ${bound}`])
  )
  const described = where === undefined ? '' : ' as described'
  const found = `${operation} was called${described} ${often}, not ${bounds.join(' and ')}`
  if (count > atMost) {
    const newest = matches.slice(-MISSES).map(({ id }) => id)
    throw new ServiceError(
      'notAllowed',
      `${found}; ${count > newest.length ? 'the last of them ' : ''}by ${newest.join(', ')}.${gone}`
    )
  }
  throw unmet(found, nearest(requests, pattern), gone)
}

function verifySequence(
  requests: readonly RequestEntry[],
  patterns: readonly CallPattern[],
  gone: string
): RequestEntry[] {
  const matches: RequestEntry[] = []
  let next = 0
  for (const [step, pattern] of patterns.entries()) {
    const index = requests.findIndex((request, position) => position >= next && isMatch(request, pattern))
    if (index < 0) {
      const last = matches.at(-1)
      const after = last === undefined ? '' : ` after ${last.operation!} (${last.id})`
      const early = requests
        .slice(0, next)
        .filter((request) => isMatch(request, pattern))
        .map(({ id }) => ({ id, reasons: ['it came too early'] }))
      throw unmet(
        `Step ${step + 1} of ${patterns.length}, ${pattern.operation}, was not found${after}`,
        [...early.reverse(), ...nearest(requests.slice(next), pattern)].slice(0, MISSES),
        gone
      )
    }
    matches.push(requests[index]!)
    next = index + 1
  }
  return matches
}

function unmet(found: string, misses: readonly Miss[], gone: string): ServiceError {
  const reasons = misses.map((miss) => `in ${miss.id}, ${miss.reasons.join(' and ')}`)
  const sentence = [found, ...reasons].join('; ')
  return new ServiceError(
    'notAllowed',
    `${sentence}.${gone}`,
    reasons.map((reason) => ({ field: '', reason }))
  )
}

/** The calls of an operation that differ least from the expectation, but do differ; newest first among equals. */
function nearest(requests: readonly RequestEntry[], pattern: CallPattern): Miss[] {
  const found: { readonly id: string; readonly differences: readonly Difference[] }[] = []
  for (const request of requests.toReversed()) {
    if (request.operation !== pattern.operation) continue
    // Stop comparing a call that differs no less than the last one kept.
    const enough = found[MISSES - 1]?.differences.length ?? Infinity
    const differences = first(enough, differencesOf(request, pattern))
    if (differences.length === 0 || differences.length === enough) continue
    const place = found.findLastIndex((nearer) => nearer.differences.length <= differences.length) + 1
    found.splice(place, 0, { id: request.id, differences })
    found.splice(MISSES)
  }
  return found.map(({ id, differences }) => ({ id, reasons: reasonsOf(differences) }))
}

function reasonsOf(differences: readonly Difference[]): string[] {
  const reasons = differences
    .slice(0, SENTENCES)
    .map(({ path, actual, wanted }) => `${path} is ${shown(actual)}, not ${shown(wanted)}`)
  const more = differences.length - reasons.length
  return more === 0 ? reasons : [...reasons, `${more} more ${more === 1 ? 'field differs' : 'fields differ'}`]
}

function isMatch(request: RequestEntry, pattern: CallPattern): boolean {
  return request.operation === pattern.operation && first(1, differencesOf(request, pattern)).length === 0
}

/**
 * Finds one difference after the other, so that nobody compares more than is needed. Objects may have more fields than
 * the expected ones.
 */
function* differencesOf(
  { params, outcome: { status }, query, body }: RequestEntry,
  { where = {} }: CallPattern
): Generator<Difference> {
  const all = [
    { path: 'workgroup_id', actual: params['workgroupID'], wanted: where.workgroup_id },
    { path: 'workspace_id', actual: params['workspaceID'], wanted: where.workspace_id },
    { path: 'status', actual: status, wanted: where.status },
    { path: 'query', actual: query, wanted: where.query },
    { path: 'body', actual: body, wanted: where.body }
  ]
  // A stack: with `yield*`, each level of an object would pass on all that is below it.
  const open: Iterator<Difference, undefined>[] = [all.values()]
  while (open.length > 0) {
    const { value: pair } = open.at(-1)!.next()
    if (pair === undefined) {
      open.pop()
      continue
    }
    const { path, actual, wanted } = pair
    if (isObject(wanted) && isObject(actual)) open.push(fieldsOf(path, actual, wanted))
    else if (wanted !== undefined && !isDeepStrictEqual(actual, wanted)) yield pair
  }
}

type Fields = Readonly<Record<string, unknown>>

function* fieldsOf(path: string, actual: Fields, wanted: Fields): Generator<Difference, undefined> {
  for (const field in wanted) {
    const value = Object.hasOwn(actual, field) ? actual[field] : undefined
    yield { path: `${path}.${field}`, actual: value, wanted: wanted[field] }
  }
  return undefined
}

function first<T>(most: number, items: Iterable<T>): T[] {
  const found: T[] = []
  for (const item of items) if (found.push(item) >= most) break
  return found
}

const LONGEST = 100

function shown(value: unknown): string {
  if (value === undefined) return 'absent'
  const text = JSON.stringify(value)
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`
}

/** The steps of an expectation. Without a sequence it has an operation, as a step does; `fieldErrorsOf` asks for it. */
const patternsOf = (expectation: Expectation) => expectation.sequence ?? [expectation as CallPattern]

/** A schema of two alternatives would report both; one sentence is clearer. */
function fieldErrorsOf(expectation: Expectation): FieldError[] {
  const { operation, where, times, sequence } = expectation
  if ((operation === undefined) === (sequence === undefined))
    return [{ field: 'operation', reason: 'must be present without sequence, and absent with it' }]
  const alone = Object.entries({ where, times }).filter(([, value]) => sequence !== undefined && value !== undefined)
  if (alone.length > 0)
    return alone.map(([field]) => ({ field, reason: 'cannot be combined with sequence; each step has its own where' }))
  const large = patternsOf(expectation).flatMap((step, index) =>
    partsWithTooMuch(step).map((part) => (sequence === undefined ? part : `sequence.${index}.${part}`))
  )
  if (large.length > 0)
    return large.map((field) => ({
      field,
      reason: `must have at most ${MOST_FIELDS} fields, at any depth; name those that matter`
    }))
  if (times === undefined) return []
  const { exactly, atLeast, atMost } = times
  if ((exactly === undefined) === (atLeast === undefined && atMost === undefined)) {
    return [{ field: 'times', reason: 'must have exactly, or atLeast, or atMost, or the last two together' }]
  }
  return (atLeast ?? 0) > (atMost ?? Infinity)
    ? [{ field: 'times', reason: 'must not have an atLeast above its atMost' }]
    : []
}

/** The parts of a `where` that have too many fields. */
function partsWithTooMuch({ where = {} }: CallPattern): string[] {
  return (['query', 'body'] as const)
    .filter((part) => countFields(where[part]) > MOST_FIELDS)
    .map((part) => `where.${part}`)
}
