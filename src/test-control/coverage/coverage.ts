import { Type } from '@sinclair/typebox'
import { ERRORS } from '../../interface/errors.js'
import { OPERATION_IDS } from '../../interface/operation-ids.js'
import { enumeration, type Shape } from '../../interface/schemas.js'
import { edgeName, statusName } from '../../journal/coverage.js'
import { toJUnit } from '../../lib/junit.js'
import { strict } from '../../lib/strict.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import { SCHEDULE_GUARDS } from '../../resources/schedules/lifecycle.js'
import { WORKSPACE_GUARDS } from '../../resources/workspaces/lifecycle.js'
import type { Sandbox } from '../../sandboxes/sandbox.js'
import { DELETED, type Transition } from '../../sim/state-machine.js'

export const DIMENSIONS = ['operations', 'statuses', 'transitions', 'guards', 'errors', 'faults'] as const
type Dimension = (typeof DIMENSIONS)[number]

const items = (description: string) =>
  Type.Array(strict({ name: Type.String(), count: Type.Integer() }), { description })
const sum = strict({ exercised: Type.Integer(), total: Type.Integer() })

export const CoverageQuerySchema = strict({
  format: Type.Optional(enumeration(['json', 'junit'], 'json, or JUnit XML without an envelope; json if absent.'))
})

export const CoverageSchema = strict(
  {
    summary: strict({ operations: sum, statuses: sum, transitions: sum, guards: sum, errors: sum, faults: sum }),
    operations: items(`The ${OPERATION_IDS.length} operations; the three that share a path count separately.`),
    statuses: items(
      'The success of each operation, and the errors it can answer with, such as `createWorkspace 403`; not 401, ' +
        'which belongs to no sandbox, and no server failures.'
    ),
    transitions: items(
      'Changes of states, such as `workspace.pause: Active → Pausing`; not with --journal-requests 0.'
    ),
    guards: items('Refusals by the state of a workspace, such as `workspace.pause in Resizing`.'),
    errors: items('Conditions of errors, such as `notFound`.'),
    faults: items('Operations with an injected fault; the replies to those requests count only here.')
  },
  { description: 'Which items were exercised, and how often.' }
)
type CoverageReport = Shape<typeof CoverageSchema>
type Item = CoverageReport[Dimension][number]

/** How often each part of the interface was exercised in a sandbox. */
export function readCoverage(plane: ControlPlane, { coverage }: Sandbox): CoverageReport {
  const ids = [...plane.operations.keys()]
  const edges = [...new Set([...plane.engine.transitions.values()].flatMap(edgesOf))]
  const items: Record<Dimension, Item[]> = {
    operations: ids.map((name) => ({ name, count: repliesOf(coverage.of('statuses'), name) })),
    statuses: counted(
      coverage.of('statuses'),
      [...plane.operations].flatMap(([id, statuses]) => statuses.map((status) => statusName(id, status)))
    ),
    transitions: counted(coverage.of('transitions'), edges),
    guards: counted(coverage.of('guards'), [...WORKSPACE_GUARDS, ...SCHEDULE_GUARDS]),
    errors: counted(coverage.of('errors'), CONDITIONS),
    faults: counted(coverage.of('faults'), ids)
  }
  const summary = Object.fromEntries(
    DIMENSIONS.map((dimension) => [
      dimension,
      { exercised: items[dimension].filter(({ count }) => count > 0).length, total: items[dimension].length }
    ])
  )
  return { summary: summary as CoverageReport['summary'], ...items }
}

/** A coverage report as JUnit XML: a suite per dimension, a case per item, skipped if it was not exercised. */
export function coverageAsJUnit(report: CoverageReport): string {
  const suites = DIMENSIONS.map((dimension) => ({
    name: dimension,
    cases: report[dimension].map(({ name, count }) => ({
      of: dimension,
      name,
      skipped: count > 0 ? undefined : 'not exercised'
    }))
  }))
  return toJUnit('svc-mock coverage', suites)
}

/** Without a known credential, a request belongs to no sandbox; an internal error cannot be provoked. */
const CONDITIONS = Object.keys(ERRORS).filter((condition) => condition !== 'unauthorized' && condition !== 'internal')

function counted(counts: ReadonlyMap<string, number>, names: readonly string[]): Item[] {
  return names.map((name) => ({ name, count: counts.get(name) ?? 0 }))
}

/** Counts replies with any status, including unexpected ones. */
function repliesOf(statuses: ReadonlyMap<string, number>, operation: string): number {
  return [...statuses].reduce((sum, [name, count]) => (name.startsWith(`${operation} `) ? sum + count : sum), 0)
}

/** The state changes that a transition can cause. */
function edgesOf({ name, from, during, to, failsTo }: Transition): string[] {
  const begins = from.length === 0 ? [edgeName(name, null, during)] : from.map((state) => edgeName(name, state, during))
  const ends = [...(to.length === 0 ? [DELETED] : to), failsTo].map((state) => edgeName(name, during, state))
  return [...begins, ...ends]
}
