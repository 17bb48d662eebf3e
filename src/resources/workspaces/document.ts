import type { Static, TObject } from '@sinclair/typebox'
import { type Extra, fitting } from '../../profile/fields.js'
import type { Profile } from '../../profile/profile.js'
import type { DocumentCheck } from '../document.js'
import type { workspaceInDocument } from './fields.js'
import { REFRESH, WORKSPACE_STATES, WORKSPACE_TRANSITIONS } from './lifecycle.js'
import { AgentConfigSchema, WorkspaceAddonsRequestSchema } from './parts.js'

type WorkspaceFields = Static<typeof workspaceInDocument.schema>

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
