import { useState } from 'preact/hooks'
import { EFFECTS, type FaultDraft, NEW_FAULT, PRESETS, ruleOf } from '../../model/fault-draft'
import { useApp } from '../../parts/app-context'
import { SelectField, TextField } from '../../parts/fields'
import { useFieldErrors } from '../../parts/use-field-errors'
import { useOperations } from '../../parts/use-operations'

/** Adds a fault, which a preset can prepare. */
export function NewFault() {
  const { model, attempt } = useApp()
  const operations = useOperations()
  const [errors, noting] = useFieldErrors()
  const [draft, setDraft] = useState(NEW_FAULT)
  const change = (changes: Partial<FaultDraft>) => {
    setDraft({ ...draft, ...changes })
  }
  /** Connects a text of the draft with its field, whose errors have these paths. */
  const field = (name: Exclude<keyof FaultDraft, 'isLate'>, ...paths: readonly string[]) => ({
    value: draft[name],
    onChange: (value: string) => {
      change({ [name]: value })
    },
    error: paths.map((path) => errors[path]).find((reason) => reason !== undefined)
  })
  const add = () => attempt(noting(async () => (await model.client.control('POST', '/faults', ruleOf(draft))).message))
  return (
    <section class="card" aria-labelledby="new-fault-title">
      <h2 id="new-fault-title">New fault</h2>
      <div class="buttons" role="group" aria-label="Presets">
        {PRESETS.map(({ name, about, fields }) => (
          <button
            key={name}
            type="button"
            title={about}
            onClick={() => {
              change(fields)
            }}
          >
            {name}
          </button>
        ))}
      </div>
      <form
        class="stack"
        aria-labelledby="new-fault-title"
        onSubmit={(event) => {
          event.preventDefault()
          void add()
        }}
      >
        <div class="fields">
          <SelectField label="Operation" options={[['', 'any'], ...operations]} {...field('operation', 'operation')} />
          <SelectField
            label="Effect"
            options={Object.entries(EFFECTS)}
            {...field('effect', 'effect', 'effect.reply')}
          />
          {draft.effect === 'error' ? (
            <>
              <TextField
                label="Status"
                type="number"
                min={400}
                max={599}
                required
                {...field('status', 'effect.status')}
              />
              <TextField label="Reason" placeholder="Injected fault…" {...field('reason', 'effect.reason')} />
              <TextField
                label="Retry-After"
                type="number"
                min={0}
                placeholder="none, or seconds"
                {...field('retryAfter', 'effect.retry_after')}
              />
            </>
          ) : null}
          <TextField
            label="Delay"
            placeholder="none, or such as 2s"
            required={draft.effect === 'delay' && draft.longest === ''}
            {...field('delay', 'effect.delay', 'effect.delay.min')}
          />
          <TextField label="Delay at most" placeholder="the same" {...field('longest', 'effect.delay.max')} />
          <TextField label="Times" type="number" min={1} placeholder="always" {...field('times', 'times')} />
          <TextField label="After" type="number" min={0} placeholder="0 requests" {...field('after', 'after')} />
          <TextField
            label="Probability"
            type="number"
            min={0}
            max={1}
            step="any"
            placeholder="1"
            {...field('probability', 'probability')}
          />
          <TextField label="Workspace id" placeholder="any" {...field('workspace', 'workspace_id')} />
          <TextField label="Workgroup id" placeholder="any" {...field('workgroup', 'workgroup_id')} />
        </div>
        <label class="check">
          <input
            type="checkbox"
            checked={draft.isLate}
            onChange={({ currentTarget }) => {
              change({ isLate: currentTarget.checked })
            }}
          />{' '}
          Only after the work is done
        </label>
        <button type="submit" class="primary">
          Inject
        </button>
      </form>
    </section>
  )
}
