import { Type } from '@sinclair/typebox'
import { duration } from '../../lib/closed.js'
import { type Answer, defineActions, fieldsOf, type ToolCall } from '../tool.js'

/** How long the name of the snapshot behind a fork is, so that no two forks share one. */
const NAME = 12

export const sandboxTool = defineActions({
  name: 'sandbox',
  title: 'Sandboxes',
  description: `Sandboxes are worlds of their own: resources, clock, faults and rules. A key names one.

- new: a sandbox that starts as the baseline (the seed of the server, or empty). The result has its key.
- fork: a copy of the sandbox as it is now, so that you can try something without touching the original. The result has
  the key of the copy.
- reset: return the sandbox to its baseline. Everything made since is lost.
- remove: remove the sandbox.

Give the key to the other tools as key, or to a client as its API key (header x-api-key).`,
  input: {
    ttl: Type.Optional(duration('For new and fork: lifetime.')),
    keep: Type.Optional({ ...fieldsOf('resetSandbox', ['keep']).keep, description: 'For reset: parts to leave alone.' })
  },
  isDestructive: true,
  actions: {
    new: { takes: ['ttl'], run: (input, call) => create(call, input) },
    fork: { takes: ['ttl'], run: (input, call) => fork(call, input) },
    reset: { takes: ['keep'], run: (input, { control }) => control('resetSandbox', input) },
    remove: { run: (_, { control }) => control('removeSandbox') }
  }
})

async function fork(call: ToolCall, input: { readonly ttl?: string | undefined }): Promise<Answer> {
  // Only a snapshot can be forked. It has a name that nobody else has, and is gone afterwards.
  const { requestId } = await call.send({ method: 'GET', path: '/_mock/clock' })
  const name = `fork-${requestId.replaceAll(/\W/g, '').slice(0, NAME)}`
  await call.control('saveSnapshot', { name })
  try {
    return await create(call, { from: name, ...input })
  } finally {
    await call.control('deleteSnapshot', { name }).catch(() => undefined)
  }
}

async function create(
  { control, client: { url } }: ToolCall,
  fork: { readonly from?: string; readonly ttl?: string | undefined }
): Promise<Answer> {
  const answer = await control('forkSandbox', fork)
  return { ...answer, result: { ...(answer.result as object), url } }
}
