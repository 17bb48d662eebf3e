import { useState } from 'preact/hooks'
import type { TransitionRule } from '../../api/types'
import { useApp } from '../../parts/app-context'
import { SelectField, TextField } from '../../parts/fields'
import { type FieldErrors, useFieldErrors } from '../../parts/use-field-errors'

/** Lists the rules for transitions that begin from now on, and adds new ones. */
export function TransitionRules() {
  const { model, attempt } = useApp()
  const [errors, noting] = useFieldErrors()
  const { rules } = model.transitions
  const replace = (next: readonly TransitionRule[]) =>
    attempt(noting(async () => (await model.client.control('PUT', '/transitions', { rules: next })).message))
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
                    onClick={() => void replace(rules.filter((other) => other !== rule))}
                  >
                    Remove
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <NewRule errors={errors} path={`rules.${rules.length}`} onAdd={(rule) => replace([...rules, rule])} />
    </section>
  )
}

type Outcome = NonNullable<TransitionRule['outcome']>

const OUTCOMES = ['fail', 'hold', 'complete'] as const satisfies readonly Outcome[]

/** @param path where the errors of the new rule are */
function NewRule({
  errors,
  path,
  onAdd
}: {
  errors: FieldErrors
  path: string
  onAdd: (rule: TransitionRule) => Promise<boolean>
}) {
  const { model } = useApp()
  const [transition, setTransition] = useState('workspace.resume')
  const [outcome, setOutcome] = useState<string>('fail')
  const [after, setAfter] = useState('')
  const [times, setTimes] = useState('1')
  const add = () =>
    onAdd({
      transition,
      outcome: outcome as Outcome,
      ...(after.trim() === '' ? {} : { after: after.trim() }),
      ...(times === '' ? {} : { times: Number(times) })
    })
  return (
    <form
      class="stack"
      aria-label="New transition rule"
      onSubmit={(event) => {
        event.preventDefault()
        void add()
      }}
    >
      <h3>Add one</h3>
      <div class="fields">
        <SelectField
          label="Transition"
          options={model.transitions.transitions.map(({ name }) => [name, name])}
          value={transition}
          onChange={setTransition}
          error={errors[`${path}.transition`]}
        />
        <SelectField
          label="Ends"
          options={OUTCOMES.map((name) => [name, name])}
          value={outcome}
          onChange={setOutcome}
          error={errors[`${path}.outcome`]}
        />
        <TextField
          label="After"
          placeholder="as the profile says"
          value={after}
          onChange={setAfter}
          error={errors[`${path}.after`]}
        />
        <TextField
          label="Times"
          type="number"
          min={1}
          placeholder="always"
          value={times}
          onChange={setTimes}
          error={errors[`${path}.times`]}
        />
      </div>
      <button type="submit" class="primary">
        Add
      </button>
    </form>
  )
}
