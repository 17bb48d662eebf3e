import { isDeepStrictEqual } from 'node:util'
import { invalidBody, ServiceError, type Fault } from '../../errors.js'
import type { RequestEntry } from '../../journal/journal.js'
import { mask } from '../../journal/mask.js'
import type { Sandbox } from '../../sandboxes/registry.js'
import type { World } from '../../world.js'
import { check } from '../check.js'
import { checkOperation } from './requests.js'
import { ExpectationSchema } from './schemas.js'

type Fields = Readonly<Record<string, unknown>>

/** A call that is expected. */
export interface CallPattern {
  /** operationId. */
  readonly operation: string
  /** What the call must have; `query` and `body` may have more. */
  readonly where?: {
    readonly workgroup_id?: string
    readonly workspace_id?: string
    readonly status?: number
    readonly query?: Fields
    readonly body?: unknown
  }
}

/** How often a call is expected: exactly, or at least, or at most, or between the last two. */
export interface Times {
  readonly exactly?: number
  readonly atLeast?: number
  readonly atMost?: number
}

/** What is expected: a call, at least once if `times` is absent; or calls in this order, between which others may lie. */
export type Expectation = (CallPattern & { readonly times?: Times }) | { readonly sequence: readonly CallPattern[] }

export interface Verified {
  /** RequestIDs of the calls that were found, in order. */
  readonly matches: readonly string[]
  readonly count: number
}

/** How many calls that are nearly as expected are named. */
const MISSES = 3

interface Miss {
  readonly id: string
  readonly differences: readonly string[]
}

/**
 * Checks that the interface was called as expected.
 * @throws {ServiceError} that says what was expected and what was found, with the calls that come nearest; or that the
 *   expectation itself is wrong
 */
export function verify(world: World, { journal }: Sandbox, expectation: Expectation): Verified {
  check(ExpectationSchema, expectation)
  const faults = faultsOf(expectation)
  if (faults.length > 0) throw invalidBody(faults)
  const isSequence = 'sequence' in expectation
  const patterns = isSequence ? expectation.sequence : [expectation]
  patterns.forEach(({ operation }, index) => { checkOperation(world, isSequence ? `sequence.${index}.operation` : 'operation', operation) })
  if (!journal.isOn) throw new ServiceError('notAllowed', 'The journal is off (--journal-requests 0), so nothing can be verified.')
  const requests = journal.requests()
  const isUnknown = ({ operation, isBodyOmitted }: RequestEntry) => isBodyOmitted === true
    && patterns.some((pattern) => pattern.operation === operation && pattern.where?.body !== undefined)
  const gone = (journal.dropped === 0 ? '' : ` Older requests (${journal.dropped}) are not in the journal any more and were not looked at.`)
    + (requests.some(isUnknown) ? ' Some bodies were too large to be kept and were not looked at.' : '')
  const matches = isSequence ? verifySequence(requests, patterns, gone) : verifyCall(requests, expectation, gone)
  return { matches: matches.map(({ id }) => id), count: matches.length }
}

function verifyCall(requests: readonly RequestEntry[], expectation: CallPattern & { times?: Times }, gone: string): RequestEntry[] {
  const { operation, where, times = { atLeast: 1 } } = expectation
  const matches = requests.filter((request) => isMatch(request, expectation))
  const count = matches.length
  const { exactly, atLeast = exactly ?? 0, atMost = exactly ?? Infinity } = times
  if (count >= atLeast && count <= atMost) {
    // What was dropped may have been one more.
    if (gone !== '' && atMost !== Infinity) {
      throw new ServiceError('notAllowed', `${operation} was found ${count} ${count === 1 ? 'time' : 'times'}, but that may not be all.${gone} Clear the journal before what is to be verified, or raise --journal-requests and --journal-bytes.`)
    }
    return matches
  }
  const bounds = Object.entries({ exactly, 'at least': times.atLeast, 'at most': times.atMost })
    .flatMap(([name, bound]) => (bound === undefined ? [] : [`${name} ${bound}`]))
  const found = `${operation} was called ${where === undefined ? '' : 'as described '}${count} ${count === 1 ? 'time' : 'times'}, not ${bounds.join(' and ')}`
  if (count > atMost) {
    const newest = matches.slice(-MISSES).map(({ id }) => id)
    throw new ServiceError('notAllowed', `${found}; ${count > newest.length ? 'the last of them ' : ''}by ${newest.join(', ')}.${gone}`)
  }
  throw unmet(found, nearest(requests.filter((request) => !matches.includes(request)), expectation), gone)
}

function verifySequence(requests: readonly RequestEntry[], patterns: readonly CallPattern[], gone: string): RequestEntry[] {
  const matches: RequestEntry[] = []
  let next = 0
  for (const [step, pattern] of patterns.entries()) {
    const index = requests.findIndex((request, position) => position >= next && isMatch(request, pattern))
    if (index < 0) {
      const last = matches.at(-1)
      const after = last === undefined ? '' : ` after ${last.operation!} (${last.id})`
      const early = requests.slice(0, next).filter((request) => isMatch(request, pattern)).map(({ id }) => ({ id, differences: ['it came too early'] }))
      throw unmet(`Step ${step + 1} of ${patterns.length}, ${pattern.operation}, was not found${after}`,
        [...early.reverse(), ...nearest(requests.slice(next), pattern)].slice(0, MISSES), gone)
    }
    matches.push(requests[index]!)
    next = index + 1
  }
  return matches
}

function unmet(found: string, misses: readonly Miss[], gone: string): ServiceError {
  const reasons = misses.map(({ id, differences }) => `in ${id}, ${differences.join(' and ')}`)
  const sentence = [found, ...reasons].join('; ')
  return new ServiceError('notAllowed', `${sentence}.${gone}`, reasons.map((reason) => ({ field: '', reason })))
}

/** The calls of an operation that differ least from what is expected, of those the newest first. */
function nearest(requests: readonly RequestEntry[], pattern: CallPattern): Miss[] {
  return requests.filter(({ operation }) => operation === pattern.operation)
    .map((request) => ({ id: request.id, differences: differencesOf(request, pattern) }))
    .filter(({ differences }) => differences.length > 0)
    .reverse()
    .sort((a, b) => a.differences.length - b.differences.length)
    .slice(0, MISSES)
}

function isMatch(request: RequestEntry, pattern: CallPattern): boolean {
  return request.operation === pattern.operation && differencesOf(request, pattern).length === 0
}

function differencesOf({ params, outcome: { status }, query, body }: RequestEntry, { where = {} }: CallPattern): string[] {
  // What is secret is masked in the journal, so it is not compared, and not shown either.
  const wanted = mask(where)
  return [
    ...differences('workgroup_id', params['workgroupID'], wanted.workgroup_id),
    ...differences('workspace_id', params['workspaceID'], wanted.workspace_id),
    ...differences('status', status, wanted.status),
    ...differences('query', query, wanted.query),
    ...differences('body', body, wanted.body)
  ]
}

/** Where a value is not as it is wanted, in words. Objects may have more than is wanted. */
function differences(path: string, actual: unknown, wanted: unknown): string[] {
  if (wanted === undefined) return []
  if (isObject(wanted) && isObject(actual)) {
    return Object.entries(wanted).flatMap(([field, value]) => differences(`${path}.${field}`, Object.hasOwn(actual, field) ? actual[field] : undefined, value))
  }
  return isDeepStrictEqual(actual, wanted) ? [] : [`${path} is ${shown(actual)}, not ${shown(wanted)}`]
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const LONGEST = 100

function shown(value: unknown): string {
  if (value === undefined) return 'absent'
  const text = JSON.stringify(value)
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`
}

/** A schema of two forms would complain about both, where one sentence tells what is possible. */
function faultsOf(expectation: Expectation): Fault[] {
  const { operation, where, times, sequence } = expectation as Partial<CallPattern & { times: Times; sequence: unknown }>
  if ((operation === undefined) === (sequence === undefined)) return [{ field: '', reason: 'must have either operation or sequence' }]
  const alone = Object.entries({ where, times }).filter(([, value]) => sequence !== undefined && value !== undefined)
  if (alone.length > 0) return alone.map(([field]) => ({ field, reason: 'cannot go with sequence; each step has a where of its own' }))
  if (times === undefined) return []
  const { exactly, atLeast, atMost } = times
  if ((exactly === undefined) === (atLeast === undefined && atMost === undefined)) {
    return [{ field: 'times', reason: 'must have exactly, or atLeast, or atMost, or the last two together' }]
  }
  return (atLeast ?? 0) > (atMost ?? Infinity) ? [{ field: 'times', reason: 'must not have an atLeast above its atMost' }] : []
}
