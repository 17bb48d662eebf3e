import { type TArray, Type } from '@sinclair/typebox'
import { id } from '../../lib/closed.js'
import { BACKUP } from '../../resources/backups/lifecycle.js'
import { REFRESH, WORKSPACE_TRANSITIONS } from '../../resources/workspaces/lifecycle.js'
import type { TransitionRule } from '../../test-control/handle/types.js'
import { type Answer, defineActions, fieldsOf, type ToolCall } from '../tool.js'

const NAMES = [...Object.values(WORKSPACE_TRANSITIONS), REFRESH, BACKUP].map(({ name }) => name)

/** The schema of a rule. */
const { items: RULE } = fieldsOf('replaceTransitionRules', ['rules']).rules as unknown as TArray
const WHICH = ['transition', 'resource_id'] as const
type Which = Partial<Record<(typeof WHICH)[number], string | undefined>>

export const transitionsTool = defineActions({
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
    rule: Type.Optional({ ...RULE, description: 'For add: the rule.' }),
    transition: Type.Optional(id('For clear and release: name of the transition; any if absent.')),
    resource_id: Type.Optional(id('For clear and release: the workspace; any if absent.'))
  },
  actions: {
    add: {
      takes: ['rule'],
      needs: ['rule'],
      run: ({ rule }, call) => replace(call, (rules) => [rule as TransitionRule, ...rules])
    },
    list: { run: (_, { control }) => control('listTransitionRules') },
    clear: {
      takes: WHICH,
      run: (which, call) => replace(call, (rules) => rules.filter((rule) => !isMeant(rule, which)))
    },
    release: { takes: WHICH, run: (input, { control }) => control('releaseTransitions', input) }
  }
})

const isMeant = (rule: TransitionRule, which: Which) =>
  WHICH.every((field) => which[field] === undefined || which[field] === rule[field])

async function replace(
  { control }: ToolCall,
  change: (rules: readonly TransitionRule[]) => readonly TransitionRule[]
): Promise<Answer> {
  const { rules: before } = (await control('listTransitionRules')).result as { rules: TransitionRule[] }
  const answer = await control('replaceTransitionRules', { rules: change(before) })
  const { rules } = answer.result as { rules: TransitionRule[] }
  return { ...answer, result: { rules } }
}
