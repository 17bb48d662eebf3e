import { parseTimestamp } from '../../lib/time.js'
import type { SizeOf } from '../../profile/catalogue.js'
import type { Profile } from '../../profile/profile.js'
import type { Phase, Phases, StateWords } from '../../profile/states.js'
import type { Org } from '../../sandboxes/sandbox.js'
import { DELETED } from '../../sim/state-machine.js'
import { viewer } from '../field-table.js'
import { type FoundWorkspace, WORKSPACES } from './fields.js'
import { PAUSE, type WorkspaceState } from './lifecycle.js'
import { AGENT_DEFAULTS, type FolderStatistics } from './parts.js'

/** The condition of a workspace in each state; in other states, none was observed. See {@link PRE_PAUSE}. */
export const CONDITIONS: Readonly<Partial<Record<WorkspaceState | typeof DELETED, string>>> = {
  Active: 'Normal',
  Pausing: 'PauseRoll',
  Stopped: 'Paused',
  Idle: 'Paused',
  Failed: 'Failed',
  // Only if the profile keeps it readable.
  [DELETED]: 'Deleted'
}

/** The condition at the beginning of a pause, and how long it lasts, in milliseconds. */
export const PRE_PAUSE = { condition: 'PausePre', lasts: 5000 } as const

/** The built-in phases of each state. */
const PHASES: Phases = {
  ...Object.fromEntries(
    Object.entries(CONDITIONS).map(([state, condition]) => [state, [{ condition, lasts: Infinity }]])
  ),
  [PAUSE.during]: [PRE_PAUSE, { condition: CONDITIONS.Pausing!, lasts: Infinity }]
}

/** The phases of each state under a profile. */
export const phasesUnder = ({ phases }: Pick<Profile, 'phases'>): Phases => ({ ...PHASES, ...phases })

/** The phase of a workspace, and when it ends, in milliseconds since 1970; undefined if its state has none. */
function phaseOf(
  { status, statusSince }: Pick<FoundWorkspace, 'status' | 'statusSince'>,
  phases: Phases,
  now: number
): { readonly phase: Phase; readonly end: number } | undefined {
  const all = phases[status]
  if (all === undefined) return undefined
  // Most states have only one.
  if (all.length === 1) return { phase: all[0]!, end: Infinity }
  let end = parseTimestamp(statusSince)!
  // The last one lasts forever.
  const phase = all.find(({ lasts }) => now < (end += lasts))!
  return { phase, end }
}

/** When one of these workspaces next looks different although nothing is written; undefined if never. */
export function nextLookOf(workspaces: readonly FoundWorkspace[], phases: Phases, now: number): number | undefined {
  let next = Infinity
  for (const workspace of workspaces) next = Math.min(next, phaseOf(workspace, phases, now)?.end ?? Infinity)
  return next === Infinity ? undefined : next
}

/** The context of all views, the same for all requests. */
export interface ViewContext {
  readonly sizeOf: SizeOf
  readonly words: StateWords
  readonly phases: Phases
  readonly hostOf: HostOf
}

/** Computes the host (and port) of a workspace's data plane. */
export type HostOf = (workspace: Pick<FoundWorkspace, 'id' | 'workgroup' | 'region'>, org: Pick<Org, 'orgId'>) => string

interface Context extends ViewContext {
  readonly org: Org
  /** The time of the sandbox, in milliseconds since 1970. */
  readonly now: number
}

const ABSENT = () => undefined

/** A workspace as the interface shows it. */
export const toWorkspaceView = viewer<typeof WORKSPACES.fields, Context>(WORKSPACES.fields, {
  org_id: (_, { org }) => org.orgId,
  org_name: (_, { org }) => org.orgName,
  status: (workspace, { phases, words, now }) =>
    phaseOf(workspace, phases, now)?.phase.status ?? words.workspace.toWire(workspace.status),
  condition_type: (workspace, { phases, now }) => phaseOf(workspace, phases, now)?.phase.condition,
  workspace_type: ({ typeName, enableHa }, { sizeOf }) => sizeOf(typeName, enableHa),
  enable_copilot: () => false,
  nginx_host: (workspace, { hostOf, org }) => hostOf(workspace, org),
  addons: ({ addons }) => (addons.length === 0 ? null : addons),
  solution_catalog_id: ({ solutionCatalogId }) => solutionCatalogId ?? '',
  agent_config: ({ agentConfig }) => ({ ...AGENT_DEFAULTS, ...agentConfig }),
  size: ABSENT,
  graph_topology_size_bytes: ABSENT,
  vertex_count: ABSENT,
  edge_count: ABSENT,
  folder_statistics: ({ id }) => toStatisticsView([id])
})

/** The mock stores no data, so all sizes are 0. */
export function toStatisticsView(workspaceIds: readonly string[]): FolderStatistics {
  return {
    backup_size: 0,
    billed_size: 0,
    log_size: 0,
    total_size: 0,
    milvus_size: 0,
    workspaces: workspaceIds.map((id) => ({ workspace_id: id, size: 0 }))
  }
}
