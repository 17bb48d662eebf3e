import { Type } from '@sinclair/typebox'
import { enumeration } from '../../interface/schemas.js'
import { duration } from '../../lib/closed.js'
import { type Answer, argumentsOf, defineTool, fieldsOf, type ToolCall } from '../tool.js'

const ACTIONS = ['new', 'fork', 'reset', 'remove'] as const

/** How long the name of the snapshot behind a fork is, so that no two forks share one. */
const NAME = 12

export const sandboxTool = defineTool({
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
    action: enumeration(ACTIONS, 'What to do.'),
    ttl: Type.Optional(duration('For new and fork: lifetime.')),
    keep: Type.Optional({ ...fieldsOf('resetSandbox', ['keep']).keep, description: 'For reset: parts to leave alone.' })
  },
  isDestructive: true,
  run: async (input, call) => {
    const { action } = input
    switch (action) {
      case 'new':
        return create(call, argumentsOf(input, action, ['ttl']))
      case 'fork':
        return fork(call, argumentsOf(input, action, ['ttl']))
      case 'reset':
        return call.control('resetSandbox', argumentsOf(input, action, ['keep']))
      case 'remove':
        argumentsOf(input, action, [])
        return call.control('removeSandbox')
    }
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
