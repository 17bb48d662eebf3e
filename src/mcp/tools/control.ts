import { Type } from '@sinclair/typebox'
import { enumeration } from '../../interface/schemas.js'
import { callNamed, CALLS } from '../../test-control/calls.js'
import type { ControlCall } from '../../test-control/control-call.js'
import { wrongArgument } from '../refusal.js'
import { defineTool } from '../tool.js'

type Input = Readonly<Record<string, unknown>>

/** Those that answer in the envelope, about one sandbox or about what is assumed. */
const KNOWN = CALLS.filter(({ says, needsToken = false }) => says !== undefined && !needsToken)

export const controlTool = defineTool({
  name: 'control',
  title: 'Test control',
  description: `Make any call of test control, also those that no other tool makes: quotas, coverage, snapshots,
backups, data-plane activity, the report, and what is assumed about the service.

With describe, the result is what the call does and takes instead. To begin: {"call": "setQuotas", "input":
{"rw_workspaces": 1}} makes the next creation of a second writer fail; {"call": "runBackup", "input": {"workspaceID":
"…"}} starts a backup.`,
  input: {
    call: enumeration(
      KNOWN.map(({ name }) => name),
      'The call.'
    ),
    input: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'The ids in its path, and the fields of its body or its query, such as {"rw_workspaces": 1}.'
      })
    ),
    describe: Type.Optional(Type.Boolean({ description: 'Describe the call instead of making it.' }))
  },
  isDestructive: true,
  run: async ({ call: name, input = {}, describe }, { control }) => {
    const call = callNamed(name)
    const { summary, params = {}, body, query } = call
    if (describe === true) return { result: { summary, ids: params, body: body ?? null, query: query ?? null } }
    if (body === undefined && query === undefined) refuseRest(call, input)
    return control(name, input)
  }
})

function refuseRest({ name, params = {} }: ControlCall, input: Input): void {
  const field = Object.keys(input).find((field) => !Object.hasOwn(params, field))
  if (field !== undefined) throw wrongArgument(`input.${field}`, `has no meaning: ${name} takes no such field`)
}
