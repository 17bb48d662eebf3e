import { useState } from 'preact/hooks'
import type { TransitionRule } from '../../api/types'
import type { DraftGroup } from '../../model/schema-form'
import { useApp } from '../../parts/app-context'
import { Button, Card, Table } from '../../parts/blocks'
import { SchemaForm } from '../../parts/schema-form'

const NEW_RULE = { transition: 'workspace.resume', outcome: 'fail', times: '1' }

/** Lists the rules for transitions that begin from now on, and adds new ones. */
export function TransitionRules() {
  const { model, attempt } = useApp()
  const [draft, setDraft] = useState<DraftGroup>(NEW_RULE)
  const { rules, transitions } = model.transitions
  const replace = (next: readonly TransitionRule[]) => () =>
    model.client.control('PUT', '/transitions', { rules: next })
  return (
    <Card title="Transition rules">
      <Table
        label="Transition rules"
        columns={{ Transition: '', Ends: '', Times: 'right', Actions: 'hidden' }}
        items={rules}
        empty="Every transition completes, and takes as long as the profile says."
        row={({ transition, resource_id: id, outcome, after, reason, times }, index) => (
          <tr key={index}>
            <td>
              <code>{transition}</code>
              {id === undefined ? null : <span class="quiet"> of {model.nameOf(id) ?? id}</span>}
            </td>
            <td>
              {outcome ?? 'complete'}
              {after === undefined ? '' : ` after ${after}`}
              {reason === undefined ? '' : `: ${reason}`}
            </td>
            <td class="right numbers">{times ?? 'always'}</td>
            <td>
              <Button
                text="Remove"
                label={`Remove the rule for ${transition}`}
                onClick={() => attempt(replace(rules.toSpliced(index, 1)))}
              />
            </td>
          </tr>
        )}
      />
      <h3>Add one</h3>
      <SchemaForm
        operation="replaceTransitionRules"
        part={{ path: `rules.${rules.length}`, of: ({ properties }) => properties!['rules']!.items! }}
        label="New transition rule"
        verb="Add"
        draft={draft}
        onChange={setDraft}
        choices={{ transition: transitions.map(({ name }) => [name, name] as const) }}
        onSubmit={(rule, noting) => attempt(noting(replace([...rules, rule as TransitionRule])))}
      />
    </Card>
  )
}
