import type { Body, BuiltMock } from '../helper.js'
import { at, openSandbox } from '../sandbox.js'

/** A readable document: a workspace w in the workgroup g, of the database d. */
export const withWorkspace = (workspace: object = {}, more: object = {}) => ({
  clock: { mode: 'frozen', now: at(0) },
  workgroups: [{ id: 'g', databases: [{ id: 'd' }], workspaces: [{ id: 'w', database: 'd', ...workspace }] }],
  ...more
})

/** A schedule of a workspace. */
export const daily = { repeat: 'daily', time: '08:00', timezone: 'UTC' }

/** An event of the workspace `w`. */
export const event = (kind: string, payload: object = {}, due = at(60)) => ({
  event: kind,
  workspace_id: 'w',
  due,
  payload
})

/** A row of the timeline of the workspace `w`. */
export const row = (seconds: number) => ({
  at: at(seconds),
  resource_id: 'w',
  transition: 'workspace.pause',
  attribute: 'status',
  from: 'Active',
  to: 'Pausing',
  reason: null
})

/** What is wrong with a document, by the paths of its fields; nothing if it is accepted. */
export async function wrongFields(mock: BuiltMock, document: unknown): Promise<string[]> {
  const { status, body } = await (await openSandbox(mock)).control('PUT', '/state', document)
  return status === 200 ? [] : (body.ErrorDetails as Body[]).map(({ FieldName }) => FieldName as string).sort()
}
