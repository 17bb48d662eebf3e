import { Type } from '@sinclair/typebox'
import { wholeId } from '../../interface/cut-id.js'
import { id } from '../../lib/strict.js'
import { partsIn, WORKSPACE_PARTS } from '../../resources/parts.js'
import type { RecordedRequest, RequestList, StateDocument } from '../../test-control/handle/types.js'
import { RequestFilterSchema } from '../../test-control/requests/schemas.js'
import { wrongArgument } from '../refusal.js'
import { type Answer, defineAction, defineActions, type ToolCall } from '../tool.js'

const USUAL_LIMIT = 20
const MOST_CHANGES = 10

export const requestsTool = defineActions({
  name: 'requests',
  title: 'Recorded requests',
  description: `The requests of clients, and their effects.

- list: the newest requests, oldest first, each with its RequestID, status and error.
- why: the causal record of a request (request_id): its body and reply, the rows that it changed, the events that it
  scheduled and how these ended, and all state changes that it caused, even much later. Or why a workspace, a backup or
  a restore job is in its state (resource_id): its newest state changes with their reasons, and the record of the
  request behind the last one. Without changes, it still has the state from the contents that the sandbox was given.`,
  isRead: true,
  actions: {
    list: defineAction(RequestFilterSchema.properties, async (filter, { control }) => {
      const { result } = await control('listRequests', { limit: USUAL_LIMIT, ...filter })
      const { requests, ...numbers } = result as RequestList
      return { result: { requests: requests.map(inShort), ...numbers } }
    }),
    why: defineAction(
      {
        request_id: Type.Optional(id('RequestID of the request.')),
        resource_id: Type.Optional(id('For why: id of a workspace, a backup or a restore job, even of a deleted one.'))
      },
      async ({ request_id: request, resource_id: resource }, call) => {
        if (request !== undefined && resource !== undefined)
          throw wrongArgument('resource_id', 'cannot be combined with request_id')
        if (request !== undefined) return { result: await recordOf(call, request) }
        if (resource === undefined) throw wrongArgument('request_id', 'or resource_id is needed for the action why')
        return whyOf(call, resource)
      }
    )
  }
})

/** Omits empty fields. */
function inShort({ request_id, at, operation, method, path, status, error, fault, unread }: RecordedRequest) {
  const optional = { operation, error, fault, unread: unread.length === 0 ? null : unread }
  const present = Object.entries(optional).filter(([, value]) => value !== null)
  return { request_id, at, call: `${method} ${path}`, status, ...Object.fromEntries(present) }
}

async function recordOf({ control }: ToolCall, id: string): Promise<unknown> {
  return (await control('readRequest', { requestID: id })).result
}

async function whyOf(call: ToolCall, resource: string): Promise<Answer> {
  const { result } = await call.control('listTimeline', { workspace_id: resource, limit: MOST_CHANGES })
  const changes = result as readonly { readonly request_id: string }[]
  const last = changes.at(-1)
  if (last !== undefined)
    return { result: { state_changes: changes, caused_by: await recordOf(call, last.request_id) } }
  const { result: document } = await call.control('readState')
  const stateful = statefulIn(document as StateDocument)
  const id = wholeId(resource, (beginning) => [...stateful.keys()].filter((one) => one.startsWith(beginning)))
  const found = stateful.get(id)
  if (found === undefined)
    throw wrongArgument('resource_id', `is not the id of a workspace, a backup or a restore job: ${resource}`)
  return {
    message: 'It came with the contents of the sandbox: from a document, the demo data, a snapshot or a baseline.',
    result: { status: found.status, state_changes: [], caused_by: null }
  }
}

interface Stateful {
  readonly id?: string
  readonly status?: string
}

/** Everything with a state, by id: workspaces, and some of their parts. */
function statefulIn({ workgroups = [] }: StateDocument): ReadonlyMap<string, Stateful> {
  const workspaces = workgroups.flatMap(({ workspaces = [] }) => workspaces)
  const parts = workspaces.flatMap((one) => partsIn(WORKSPACE_PARTS, { ...one }))
  const stateful = parts.flatMap(([{ inDocument }, items]) => (inDocument.hasState ? items : []))
  return new Map([...workspaces, ...stateful].map((one: Stateful) => [one.id ?? '', one]))
}
