import { Type } from '@sinclair/typebox'
import { OPERATION_IDS } from '../../interface/operation-ids.js'
import { enumeration } from '../../interface/schemas.js'
import { placed } from '../../lib/fill-path.js'
import { parsed } from '../../lib/parsed.js'
import { wholeSchema } from '../../lib/whole-schema.js'
import { type CallableOperation, readInterface } from '../operations.js'
import { wrongArgument } from '../refusal.js'
import { type Answer, defineTool, remedyOf, type ToolCall } from '../tool.js'

export const callTool = defineTool({
  name: 'call',
  title: 'Call an operation',
  description: `Call one of the ${OPERATION_IDS.length} operations of the mocked interface, as a client would. The
result is the reply.

With describe, the result describes the operation instead: its ids, the schema of its body, and an example. The
resource svc-mock://interface has a table of all operations. To start: createWorkgroup with the body
{"cloud_provider_id": "any", "name": "main"}; then createWorkspace with ids {"workgroupID": "…"} and the body
{"name": "writer"}; the workspace is Creating until the clock moves (tool clock: advance, until idle). pauseWorkspace
and resumeWorkspace take ids {"workgroupID": "…", "workspaceID": "…"} and no body.`,
  input: {
    operation: enumeration(OPERATION_IDS, 'The operation.'),
    ids: Type.Optional(
      Type.Record(Type.String(), Type.String({ minLength: 1, maxLength: 256 }), {
        description: 'Its ids, such as {"workgroupID": "…", "workspaceID": "…"}.'
      })
    ),
    body: Type.Optional(Type.Unknown({ description: 'Its body, an object.' })),
    describe: Type.Optional(Type.Boolean({ description: 'Describe the operation instead of calling it.' }))
  },
  isDestructive: true,
  run: async ({ operation, ids = {}, body, describe }, call) => {
    const { operations, schemas } = await readInterface(call)
    const found = operations.get(operation)
    if (found === undefined)
      throw wrongArgument('operation', `is ${operation}, which the profile of this server disables`)
    if (describe === true) return { result: { ...found, body: wholeSchema(found.body, schemas) } }
    return callOperation(found, ids, body, call)
  }
})

async function callOperation(
  { operation, method, path, query, ids: known, needsSession, body: schema }: CallableOperation,
  ids: Readonly<Record<string, string>>,
  body: unknown,
  { send, client }: ToolCall
): Promise<Answer> {
  const names = Object.keys(known)
  for (const name of names)
    if (ids[name] === undefined) throw wrongArgument(`ids.${name}`, `is needed (${known[name]!.replace(/\.$/, '')})`)
  const unknown = Object.keys(ids).find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw wrongArgument(
      `ids.${unknown}`,
      `is not an id of ${operation}; it has ${names.length === 0 ? 'no ids' : names.join(', ')}`
    )
  if (schema === undefined && body !== undefined) throw wrongArgument('body', `must be absent: ${operation} takes none`)
  const inQuery = names.filter((name) => !path.includes(`{${name}}`))
  const from = inQuery.map((name) => [name, { source: 'query', name }] as const)
  const reply = await send({
    method,
    path: placed({ path, query, moves: { from } }, ids).path,
    needsSession,
    ...(body === undefined ? {} : { body })
  })
  const { status, requestId } = reply
  return {
    status,
    request_id: requestId,
    result: reply.text === '' ? null : parsed(reply.text),
    ...(status < 400 ? {} : { remedy: remedyFor(status, reply.text, client.remedies) })
  }
}

function remedyFor(status: number, text: string, remedies: Parameters<typeof remedyOf>[2]): string {
  const { remedy } = remedyOf(status, text, remedies)
  if (remedy !== undefined) return remedy
  switch (status) {
    case 400:
      return 'Message says why. call with describe shows the schema of the body; clock advance ends transitions.'
    case 404:
      return 'Message says what is missing. state read shows what exists.'
    default:
      return 'requests why, with the request_id, shows whether a fault caused this; faults clear removes faults.'
  }
}
