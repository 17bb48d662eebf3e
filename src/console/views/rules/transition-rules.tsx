import { useState } from 'preact/hooks'
import type { TransitionRule } from '../../api/types'
import type { DraftGroup } from '../../model/schema-form'
import { useApp } from '../../parts/app-context'
import { type Noting, SchemaForm } from '../../parts/schema-form'

/** Lists the rules for transitions that begin from now on, and adds new ones. */
export function TransitionRules() {
  const { model, attempt } = useApp()
  const { rules } = model.transitions
  const replace = (next: readonly TransitionRule[]) => async () =>
    (await model.client.control('PUT', '/transitions', { rules: next })).message
  return (
    <section class="card" aria-labelledby="transitions-title">
      <h2 id="transitions-title">Transition rules</h2>
      {rules.length === 0 ? (
        <p class="quiet">Every transition completes, and takes as long as the profile says.</p>
      ) : (
        <table class="small" aria-labelledby="transitions-title">
          <thead>
            <tr>
              <th>Transition</th>
              <th>Ends</th>
              <th class="right">Times</th>
              <th>
                <span class="hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rules.map((rule, index) => (
              <tr key={index}>
                <td>
                  <code>{rule.transition}</code>
                  {rule.resource_id === undefined ? null : (
                    <span class="quiet"> of {model.workspaces.get(rule.resource_id)?.name ?? rule.resource_id}</span>
                  )}
                </td>
                <td>
                  {rule.outcome ?? 'complete'}
                  {rule.after === undefined ? '' : ` after ${rule.after}`}
                  {rule.reason === undefined ? '' : `: ${rule.reason}`}
                </td>
                <td class="right numbers">{rule.times ?? 'always'}</td>
                <td>
                  <button
                    type="button"
                    aria-label={`Remove the rule for ${rule.transition}`}
                    onClick={() => void attempt(replace(rules.filter((other) => other !== rule)))}
                  >
                    Remove
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <NewRule count={rules.length} onAdd={(rule, noting) => attempt(noting(replace([...rules, rule])))} />
    </section>
  )
}

const NEW_RULE = { transition: 'workspace.resume', outcome: 'fail', times: '1' }

/** Adds one, after the others. */
function NewRule({
  count,
  onAdd
}: {
  /** How many others there are. */
  count: number
  onAdd: (rule: TransitionRule, noting: Noting) => Promise<boolean>
}) {
  const { model } = useApp()
  const [draft, setDraft] = useState<DraftGroup>(NEW_RULE)
  return (
    <>
      <h3>Add one</h3>
      <SchemaForm
        operation="replaceTransitionRules"
        part={{ path: `rules.${count}`, of: ({ properties }) => properties!['rules']!.items! }}
        label="New transition rule"
        verb="Add"
        draft={draft}
        onChange={setDraft}
        choices={{ transition: model.transitions.transitions.map(({ name }) => [name, name] as const) }}
        onSubmit={(rule, noting) => onAdd(rule as TransitionRule, noting)}
      />
    </>
  )
}
