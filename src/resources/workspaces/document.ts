import { type Static, type TObject, Type } from '@sinclair/typebox'
import { toTimestamp } from '../../lib/time.js'
import { extraState, partState } from '../../profile/extra-state.js'
import { fitting } from '../../profile/field-values.js'
import type { Extra } from '../../profile/fields.js'
import { fromCatalogue } from '../../profile/from-catalogue.js'
import { described, stateGiven } from '../../profile/in-words.js'
import type { Profile } from '../../profile/profile.js'
import { addDatabase } from '../databases/document.js'
import {
  anyText,
  byDefault,
  count,
  type DocumentCheck,
  flag,
  id,
  identify,
  text,
  time,
  timestamp,
  version,
  when
} from '../document.js'
import { extraOf } from '../extra.js'
import { CALLER } from '../org-users/seed.js'
import type { Tx } from '../tx.js'
import type { WorkspaceRecord } from './fields.js'
import { REFRESH, REFRESH_STATES, WORKSPACE_STATES, WORKSPACE_TRANSITIONS } from './lifecycle.js'
import { AgentConfigSchema, MOST_ADDONS, WorkspaceAddonsRequestSchema } from './schemas.js'

/** A workspace in a state document, without its contents. */
export const workspaceFields = {
  id,
  name: text('Its id if that is given, otherwise `workspace-` and the first 8 characters of it.'),
  database: text('Id of its database; a new one is created if absent.'),
  creator: text(byDefault('E-mail address of the user who created it', CALLER)),
  status: Type.Optional(
    stateGiven('workspace', Object.keys(WORKSPACE_STATES), ({ workspace }) =>
      byDefault('State', workspace.toWire('Active'))
    )
  ),
  refresh_status: Type.Optional(
    stateGiven('refresh', Object.keys(REFRESH_STATES), ({ refresh }) => `${refresh.toWire('None')} if absent.`)
  ),
  refresh_message: anyText('Why the last refresh failed; empty if absent.'),
  snapshot_time: when('Of a read-only one: the moment whose data it shows', '`created_at`'),
  svc_version: version(),
  version_number: count('1 if absent.', 1),
  workspace_type_name: Type.Optional(
    fromCatalogue('workspaceTypes', (defaults) => byDefault('Size', defaults.workspaceType))
  ),
  is_rw: flag('Whether it can write; true if absent.'),
  enable_ha: flag('false if absent.'),
  enable_auto_start: flag('false if absent.'),
  auto_stop_minutes: count('0 if absent.'),
  addons: Type.Optional(Type.Array(partState(WorkspaceAddonsRequestSchema), { maxItems: MOST_ADDONS })),
  agent_config: Type.Optional(partState(AgentConfigSchema)),
  solution_catalog_id: text('Id of the solution in the catalogue; none if absent.'),
  last_active: described(
    when(''),
    ({ workspace: { toWire } }) =>
      `When it became ${toWire('Active')} or last saw data-plane activity; the time of the clock if absent.`
  ),
  created_at: when('Creation'),
  last_modified_time: when('Last change', '`created_at`'),
  extra: extraState('workspace')
}
type WorkspaceFields = Static<TObject<typeof workspaceFields>>

/** Adds a workspace, and a database if it names none. @returns its id, and the version for its backups */
export function addWorkspace(
  tx: Tx,
  workgroup: string,
  workspace: WorkspaceFields
): Pick<WorkspaceRecord, 'id' | 'svcVersion'> {
  const { defaults } = tx.catalogue
  const svcVersion = workspace.svc_version ?? defaults.version
  const createdAt = timestamp(tx, workspace.created_at)
  const isRw = workspace.is_rw ?? true
  // Spreading this many fields would take longer than inserting the row.
  const { id, name } = identify(tx, 'workspace', workspace)
  const record: WorkspaceRecord = {
    id,
    name,
    workgroup,
    database: workspace.database ?? addDatabase(tx, workgroup, { svc_version: svcVersion, create_time: createdAt }),
    creator: workspace.creator ?? CALLER,
    status: workspace.status ?? 'Active',
    refreshStatus: workspace.refresh_status ?? 'None',
    refreshMessage: workspace.refresh_message ?? '',
    snapshotTime: isRw ? null : timestamp(tx, workspace.snapshot_time ?? workspace.created_at),
    svcVersion,
    versionNumber: workspace.version_number ?? 1,
    typeName: workspace.workspace_type_name ?? defaults.workspaceType,
    isRw,
    enableHa: workspace.enable_ha ?? false,
    enableAutoStart: workspace.enable_auto_start ?? false,
    autoStopMinutes: workspace.auto_stop_minutes ?? 0,
    addons: workspace.addons ?? [],
    agentConfig: workspace.agent_config ?? {},
    solutionCatalogId: workspace.solution_catalog_id ?? null,
    lastActive: workspace.last_active === undefined ? tx.now : time(workspace.last_active),
    createdAt,
    lastModifiedTime: timestamp(tx, workspace.last_modified_time ?? createdAt),
    extra: workspace.extra
  }
  tx.workspaces.insert(record)
  return record
}

export function toWorkspaceFields(workspace: WorkspaceRecord): WorkspaceFields {
  return {
    id: workspace.id,
    name: workspace.name,
    database: workspace.database,
    creator: workspace.creator,
    status: workspace.status,
    refresh_status: workspace.refreshStatus,
    refresh_message: workspace.refreshMessage,
    ...(workspace.snapshotTime === null ? {} : { snapshot_time: workspace.snapshotTime }),
    svc_version: workspace.svcVersion,
    version_number: workspace.versionNumber,
    workspace_type_name: workspace.typeName,
    is_rw: workspace.isRw,
    enable_ha: workspace.enableHa,
    enable_auto_start: workspace.enableAutoStart,
    auto_stop_minutes: workspace.autoStopMinutes,
    addons: workspace.addons as NonNullable<WorkspaceFields['addons']>,
    agent_config: workspace.agentConfig,
    ...(workspace.solutionCatalogId === null ? {} : { solution_catalog_id: workspace.solutionCatalogId }),
    last_active: toTimestamp(workspace.lastActive),
    created_at: workspace.createdAt,
    last_modified_time: workspace.lastModifiedTime,
    ...extraOf(workspace)
  }
}

/** @param path path of the workspace */
export function checkWorkspace(workspace: WorkspaceFields, path: string, { complain, words }: DocumentCheck): void {
  const { status = 'Active', refresh_status: refresh, is_rw: isRw = true } = workspace
  if (isRw && workspace.snapshot_time !== undefined) {
    complain(`${path}.snapshot_time`, 'is allowed only for a read-only workspace')
  }
  if (!isRw && (status === 'Resizing' || status === 'Restoring')) {
    complain(`${path}.status`, `must not be ${words.workspace.toWire(status)} for a read-only workspace`)
  }
  if (refresh === REFRESH.during && status !== 'Active') {
    complain(
      `${path}.refresh_status`,
      `must not be ${words.refresh.toWire(refresh)} unless status is ${words.workspace.toWire('Active')}`
    )
  }
}

/** Whether the fields of a workspace schedule nothing. For most workspaces, this saves a query. */
export function isAtRest(workspace: WorkspaceFields): boolean {
  const { status = 'Active', refresh_status: refresh, auto_stop_minutes: autoStop = 0 } = workspace
  return AT_REST.has(status) && (status !== 'Active' || autoStop === 0) && refresh !== REFRESH.during
}

/** States outside of any transition. */
const AT_REST: ReadonlySet<string> = new Set(
  Object.keys(WORKSPACE_STATES).filter((state) =>
    Object.values(WORKSPACE_TRANSITIONS).every(({ during }) => during !== state)
  )
)

/** Parts of requests that are stored as they are, without what the profile does not allow in them. */
export function fittingParts(profile: Profile): (state: WorkspaceFields) => Partial<WorkspaceFields> {
  const keeper = (schema: TObject) => {
    const { properties } = profile.schema(schema)
    return <T extends object>(value: T): T => fitting(properties, value as Extra) as T
  }
  const agentConfig = keeper(AgentConfigSchema)
  const addon = keeper(WorkspaceAddonsRequestSchema)
  return ({ agent_config, addons }) => ({
    ...(agent_config && { agent_config: agentConfig(agent_config) }),
    ...(addons && { addons: addons.map(addon) })
  })
}
