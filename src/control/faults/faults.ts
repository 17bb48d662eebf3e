import { notFound, type Fault as FieldFault } from '../../errors.js'
import type { OperationId } from '../../http/operation-ids.js'
import type { FaultEffect, FaultPhase, FaultRecord } from '../../sandboxes/faults.js'
import type { Sandbox } from '../../sandboxes/registry.js'
import { parseDuration } from '../../sim/clock.js'
import type { Origin, World } from '../../world.js'
import { check } from '../check.js'
import { FaultRuleSchema } from './schemas.js'

/** What shall go wrong with requests. */
export interface FaultRule {
  /** The operation that it matches; any if absent. */
  readonly operation?: OperationId
  /** The workspace in the path that it matches; any path if absent. */
  readonly workspace_id?: string
  /** The workgroup in the path that it matches; any path if absent. */
  readonly workgroup_id?: string
  /** How many matching requests pass first; 0 if absent. */
  readonly after?: number
  /** How often it fires; always if absent. */
  readonly times?: number
  /** That it fires when it could, more than 0 and at most 1; 1 if absent. */
  readonly probability?: number
  /** `before` if absent, but `after-commit` with `reply: 'cut'`. */
  readonly phase?: FaultPhase
  readonly effect: FaultEffect
}

/** A rule as it is listed. */
export interface Fault extends FaultRule {
  /** `fault-` and its number. */
  readonly id: string
  /** Matching requests so far. */
  readonly seen: number
  /** How often it has fired. */
  readonly hits: number
}

/**
 * Adds a rule to a sandbox, behind those that there are.
 * @throws {ServiceError} `invalidBody` naming everything that is wrong with it
 */
export function addFault(world: World, origin: Origin, rule: FaultRule): Promise<Fault> {
  check(FaultRuleSchema, rule, faultsOfRule(rule, ''))
  return world.write(origin, ({ sandbox }) => {
    const id = faultId(world.faults.nextNumber(sandbox.key))
    const record = toFaultRecord({ ...rule, id, seen: 0, hits: 0 })
    world.faults.insert(sandbox, record)
    return presentFault(record)
  })
}

/** The rules of a sandbox, in the order in which they are tried. */
export function listFaults(world: World, { key }: Sandbox): Fault[] {
  return world.faults.list(key).map(presentFault)
}

/**
 * Removes rules of a sandbox.
 * @param id the one to remove; all if absent
 * @returns how many were removed
 * @throws {ServiceError} `notFound` if there is none of that id
 */
export function removeFaults(world: World, origin: Origin, id?: string): Promise<number> {
  return world.write(origin, ({ sandbox }) => {
    if (id === undefined) return world.faults.remove(sandbox)
    const number = numberOf(id)
    const removed = number === undefined ? 0 : world.faults.remove(sandbox, number)
    if (removed === 0) throw notFound('fault', id)
    return removed
  })
}

/**
 * What is wrong with a rule that its schema cannot see. Nobody need have checked its shape.
 * @param path where the rule is in what was sent, in dotted form; empty if it is all of it
 */
export function faultsOfRule(rule: unknown, path: string): FieldFault[] {
  const { phase, effect } = fieldsOf(rule)
  if (typeof effect !== 'object' || effect === null) return []
  const { status, delay, reply, ...ofStatus } = fieldsOf(effect)
  const faults: FieldFault[] = []
  const add = (field: string, reason: string) => { faults.push({ field: path === '' ? field : `${path}.${field}`, reason }) }
  if (status === undefined && delay === undefined && reply === undefined) add('effect', 'must have at least one of status, delay, reply')
  if (status !== undefined && reply !== undefined) add('effect.reply', 'has no meaning with status; leave one of them out')
  for (const field of ['error_type', 'reason', 'retry_after']) {
    if (status === undefined && ofStatus[field] !== undefined) add(`effect.${field}`, 'has a meaning only with status')
  }
  if (reply === 'cut' && phase === 'before') add('phase', 'must be after-commit with reply cut; before the work there is no reply to cut')
  for (const [field, reason] of faultsOfDelay(delay)) add(field, reason)
  return faults
}

const MAX_DELAY = 10 * 60_000

function faultsOfDelay(delay: unknown): [field: string, reason: string][] {
  const problemOf = (field: string, text: unknown): [string, string][] =>
    typeof text === 'string' && delayTime(text) === undefined ? [[field, 'must be an ISO 8601 duration such as PT0.5S, at most PT10M']] : []
  const { min, max } = fieldsOf(delay)
  const faults = [...problemOf('effect.delay', delay), ...problemOf('effect.delay.min', min), ...problemOf('effect.delay.max', max)]
  const isReversed = faults.length === 0 && typeof min === 'string' && typeof max === 'string' && delayTime(min)! > delayTime(max)!
  return isReversed ? [['effect.delay.max', `must be at least effect.delay.min, ${min}`]] : faults
}

/** Milliseconds of a delay; undefined if it is not one, or too long. */
function delayTime(text: string): number | undefined {
  const duration = parseDuration(text)
  return duration === undefined || duration.months > 0 || duration.milliseconds > MAX_DELAY ? undefined : duration.milliseconds
}

/** The shortest and the longest delay of an effect that has been checked, in milliseconds. */
export function delayRange({ delay }: FaultEffect): { min: number; max: number } {
  if (delay === undefined) return { min: 0, max: 0 }
  const { min, max } = typeof delay === 'string' ? { min: delay, max: delay } : delay
  return { min: delayTime(min)!, max: delayTime(max)! }
}

function fieldsOf(value: unknown): Partial<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? value : {}
}

/** A rule as the control API and state documents show it, its defaults filled in. */
export function presentFault(record: FaultRecord): Fault {
  const { number, operation, workspace, workgroup, after, times, probability, phase, effect, seen, hits } = record
  return {
    id: faultId(number),
    ...(operation === null ? {} : { operation: operation as OperationId }),
    ...(workspace === null ? {} : { workspace_id: workspace }),
    ...(workgroup === null ? {} : { workgroup_id: workgroup }),
    after,
    ...(times === null ? {} : { times }),
    probability,
    phase,
    effect,
    seen,
    hits
  }
}

/** The opposite of {@link presentFault}, for a rule that has been checked; what it leaves out gets its default. */
export function toFaultRecord(fault: Fault): FaultRecord {
  const { id, operation, workspace_id: workspace, workgroup_id: workgroup, after = 0, times, probability = 1, effect, seen, hits } = fault
  return {
    number: numberOf(id)!,
    operation: operation ?? null,
    workspace: workspace ?? null,
    workgroup: workgroup ?? null,
    after,
    times: times ?? null,
    probability,
    phase: fault.phase ?? (effect.reply === 'cut' ? 'after-commit' : 'before'),
    effect,
    seen,
    hits
  }
}

/** The id of the rule with a number. */
export function faultId(number: number): string {
  return `fault-${number}`
}

function numberOf(id: string): number | undefined {
  const digits = /^fault-([1-9]\d{0,14})$/.exec(id)?.[1]
  return digits === undefined ? undefined : Number(digits)
}
