import { useState } from 'preact/hooks'
import type { TransitionRule } from '../../api/types'
import { useApp } from '../../parts/app-context'

/** Lists the rules for transitions that begin from now on, and adds new ones. */
export function TransitionRules() {
  const { model, attempt } = useApp()
  const { rules } = model.transitions
  const replace = (next: readonly TransitionRule[]) =>
    attempt(async () => (await model.client.control('PUT', '/transitions', { rules: next })).message)
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
      <NewRule onAdd={(rule) => replace([...rules, rule])} />
    </section>
  )
}

type Outcome = NonNullable<TransitionRule['outcome']>

function NewRule({ onAdd }: { onAdd: (rule: TransitionRule) => Promise<boolean> }) {
  const { model } = useApp()
  const [transition, setTransition] = useState('workspace.resume')
  const [outcome, setOutcome] = useState<Outcome>('fail')
  const [after, setAfter] = useState('')
  const [times, setTimes] = useState('1')
  const add = () =>
    onAdd({
      transition,
      outcome,
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
        <label>
          Transition
          <select
            value={transition}
            onChange={({ currentTarget }) => {
              setTransition(currentTarget.value)
            }}
          >
            {model.transitions.transitions.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          Ends
          <select
            value={outcome}
            onChange={({ currentTarget }) => {
              setOutcome(currentTarget.value as Outcome)
            }}
          >
            {['fail', 'hold', 'complete'].map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          After{' '}
          <input
            value={after}
            placeholder="as the profile says"
            onInput={({ currentTarget }) => {
              setAfter(currentTarget.value)
            }}
          />
        </label>
        <label>
          Times{' '}
          <input
            type="number"
            min={1}
            value={times}
            placeholder="always"
            onInput={({ currentTarget }) => {
              setTimes(currentTarget.value)
            }}
          />
        </label>
      </div>
      <button type="submit" class="primary">
        Add
      </button>
    </form>
  )
}
