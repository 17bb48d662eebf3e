import { type FieldError, invalidBody, ServiceError } from '../../interface/errors.js'
import type { Shape } from '../../interface/schemas.js'
import type { RequestEntry } from '../../journal/journal.js'
import { cut } from '../../lib/plain-text.js'
import { mask } from '../../lib/secrets.js'
import { countFields, type Difference, differences, MOST_FIELDS } from '../../lib/subset.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import type { Sandbox } from '../../sandboxes/sandbox.js'
import { withWholeIds } from '../cut-ids.js'
import { checkOperation } from './requests.js'
import type { ExpectationSchema } from './schemas.js'

type Expectation = Shape<typeof ExpectationSchema>
/** An expected call. */
type CallPattern = NonNullable<Expectation['sequence']>[number]

/** Maximum number of near misses reported, of differences for each, and of characters of a value. */
const MISSES = 3
const DIFFERENCES = 20
const LONGEST = 100

/**
 * Checks that the interface was called as expected.
 * @throws {ServiceError} saying what was expected and what was found, with the nearest calls; or that the expectation
 * itself is invalid
 */
export function verify(plane: ControlPlane, sandbox: Sandbox, expectation: Expectation) {
  const errors = fieldErrorsOf(expectation)
  if (errors.length > 0) throw invalidBody(errors)
  const { journal } = sandbox
  const { sequence, times } = expectation
  const patterns = patternsOf(expectation).map(({ operation, where = {} }) => ({
    operation,
    where: withWholeIds(plane, sandbox, where)
  }))
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
    patterns.some((pattern) => pattern.operation === operation && pattern.where.body !== undefined)
  const gone =
    (journal.dropped === 0
      ? ''
      : ` Older requests (${journal.dropped}) are no longer in the journal, and were not checked.`) +
    (requests.some(isUnknown) ? ' Some bodies were too large to keep, and were not checked.' : '')
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
  const matches = requests.filter((request) => isMatch(request, pattern))
  const count = matches.length
  const found = `Calls of ${pattern.operation} that match: ${count}`
  const { exactly, atLeast = exactly ?? 0, atMost = exactly ?? Infinity } = times
  if (count < atLeast || count > atMost) {
    const bounds = Object.entries({ exactly, 'at least': times.atLeast, 'at most': times.atMost }).flatMap(
      ([name, bound]) => (bound === undefined ? [] : [`${name} ${bound}`])
    )
    const newest = matches.slice(-MISSES).map(({ id }) => `the call ${id} matches`)
    const reasons = count > atMost ? newest : nearest(requests, pattern)
    throw unmet(`${found}; expected: ${bounds.join(' and ')}`, reasons, gone)
  }
  // The dropped ones may include more.
  if (gone !== '' && atMost !== Infinity)
    throw new ServiceError(
      'notAllowed',
      `${found}, but that may not be all.${gone} ` +
        'Clear the journal before the calls to verify, or raise --journal-requests and --journal-bytes.'
    )
  return matches
}

function verifySequence(
  requests: readonly RequestEntry[],
  patterns: readonly CallPattern[],
  gone: string
): RequestEntry[] {
  const matches: RequestEntry[] = []
  let rest = requests
  for (const [step, pattern] of patterns.entries()) {
    const index = rest.findIndex((request) => isMatch(request, pattern))
    if (index < 0) {
      const last = matches.at(-1)
      const after = last === undefined ? '' : ` after ${last.operation!} (${last.id})`
      throw unmet(
        `Step ${step + 1} of ${patterns.length}, ${pattern.operation}, was not found${after}`,
        nearest(rest, pattern),
        gone
      )
    }
    matches.push(rest[index]!)
    rest = rest.slice(index + 1)
  }
  return matches
}

function unmet(found: string, reasons: readonly string[], gone: string): ServiceError {
  return new ServiceError(
    'notAllowed',
    `${[found, ...reasons].join('; ')}.${gone}`,
    reasons.map((reason) => ({ field: '', reason }))
  )
}

/** Why the calls of the operation that differ least from the expectation do not match; newest first among equals. */
function nearest(requests: readonly RequestEntry[], pattern: CallPattern): string[] {
  return requests
    .filter(({ operation }) => operation === pattern.operation)
    .map((request) => ({ id: request.id, differences: [...differencesOf(request, pattern)].slice(0, DIFFERENCES) }))
    .reverse()
    .sort((one, other) => one.differences.length - other.differences.length)
    .filter(({ differences }) => differences.length > 0)
    .slice(0, MISSES)
    .map(({ id, differences }) => `in ${id}, ${differences.map(inWords).join(' and ')}`)
}

const inWords = ({ path, actual, wanted }: Difference) => `${path} is ${shown(actual)}, not ${shown(wanted)}`

function isMatch(request: RequestEntry, pattern: CallPattern): boolean {
  return request.operation === pattern.operation && differencesOf(request, pattern).next().done === true
}

/** A program can leave a field undefined that it does not expect. */
function* differencesOf({ params, outcome: { status }, query, body }: RequestEntry, { where = {} }: CallPattern) {
  const actual = { workgroup_id: params['workgroupID'], workspace_id: params['workspaceID'], status, query, body }
  for (const difference of differences(where, actual)) if (difference.wanted !== undefined) yield difference
}

function shown(value: unknown): string {
  if (value === undefined) return 'absent'
  return cut(JSON.stringify(value), LONGEST)
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
    return [{ field: 'times', reason: 'must have either exactly, or atLeast, atMost or both' }]
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
