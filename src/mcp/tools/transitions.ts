import { Type } from '@sinclair/typebox'
import { enumeration } from '../../interface/schemas.js'
import { BACKUP } from '../../resources/backups/lifecycle.js'
import { REFRESH, WORKSPACE_TRANSITIONS } from '../../resources/workspaces/lifecycle.js'
import { ReleaseSchema, type TransitionRule, TransitionRuleSchema } from '../../sim/schemas.js'
import { type Answer, argumentsOf, defineTool, type ToolCall } from '../tool.js'

const NAMES = [...Object.values(WORKSPACE_TRANSITIONS), REFRESH, BACKUP].map(({ name }) => name)

const WHICH = ['transition', 'resource_id'] as const
type Which = Partial<Record<(typeof WHICH)[number], string | undefined>>

export const transitionsTool = defineTool({
  name: 'transitions',
  title: 'Transition rules',
  description: `Rules decide how transitions end that begin from now on:
${NAMES.join(', ')}.

- add: a rule, which comes before those that there are. The next resume fails after ten seconds:
  {"transition": "workspace.resume", "outcome": "fail", "reason": "No capacity.", "after": "10s", "times": 1}.
  The outcome hold: it does not end until it is released.
- list: the rules in force, and how long each transition takes.
- clear: remove the rules for a transition or a workspace, or all.
- release: end what is held, now.`,
  input: {
    action: enumeration(['add', 'list', 'clear', 'release'], 'What to do.'),
    rule: Type.Optional({ ...TransitionRuleSchema, description: 'For add: the rule.' }),
    transition: Type.Optional({
      ...ReleaseSchema.properties.transition,
      description: 'For clear and release: name of the transition; any if absent.'
    }),
    resource_id: Type.Optional({
      ...ReleaseSchema.properties.resource_id,
      description: 'For clear and release: the workspace; any if absent.'
    })
  },
  run: async (input, call) => {
    const { action } = input
    switch (action) {
      case 'add': {
        const { rule } = argumentsOf(input, action, ['rule'], ['rule'])
        return replace(call, (rules) => [rule as TransitionRule, ...rules])
      }
      case 'list':
        argumentsOf(input, action, [])
        return call.control('GET', '/transitions')
      case 'clear': {
        const which = argumentsOf(input, action, WHICH)
        return replace(call, (rules) => rules.filter((rule) => !isMeant(rule, which)))
      }
      case 'release':
        return call.control('POST', '/transitions/release', argumentsOf(input, action, WHICH))
    }
  }
})

const isMeant = (rule: TransitionRule, which: Which) =>
  WHICH.every((field) => which[field] === undefined || which[field] === rule[field])

async function replace(
  { control }: ToolCall,
  change: (rules: readonly TransitionRule[]) => readonly TransitionRule[]
): Promise<Answer> {
  const { rules: before } = (await control('GET', '/transitions')).result as { rules: TransitionRule[] }
  const answer = await control('PUT', '/transitions', { rules: change(before) })
  const { rules } = answer.result as { rules: TransitionRule[] }
  return { ...answer, result: { rules } }
}
