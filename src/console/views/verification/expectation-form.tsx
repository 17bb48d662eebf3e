import {
  ANY_CALL,
  type CallDraft,
  type ExpectationDraft,
  expectationOf,
  pathOf,
  unreadable
} from '../../model/expectation'
import { SelectField, TextArea, TextField } from '../../parts/fields'
import { Json } from '../../parts/json'
import type { FieldErrors } from '../../parts/use-field-errors'
import { useOperations } from '../../parts/use-operations'

interface Props {
  readonly draft: ExpectationDraft
  readonly errors: FieldErrors
  readonly onChange: (draft: ExpectationDraft) => void
  readonly onSubmit: () => void
}

/** Says which calls are expected: one, with how often, or several in order. */
export function ExpectationForm({ draft, errors, onChange, onSubmit }: Props) {
  const { calls } = draft
  const times = (name: 'exactly' | 'atLeast' | 'atMost', label: string, placeholder?: string) => (
    <TextField
      label={label}
      type="number"
      min={0}
      {...(placeholder === undefined ? {} : { placeholder })}
      value={draft[name]}
      onChange={(value) => {
        onChange({ ...draft, [name]: value })
      }}
      error={errors[`times.${name}`]}
    />
  )
  return (
    <section class="card" aria-labelledby="verification-title">
      <h2 id="verification-title">Verification</h2>
      <form
        class="stack"
        aria-labelledby="verification-title"
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit()
        }}
      >
        {calls.map((call, index) => (
          <CallFields
            key={index}
            title={calls.length === 1 ? 'This call' : `Call ${index + 1}`}
            call={call}
            path={pathOf(draft, index)}
            errors={errors}
            onChange={(changed) => {
              onChange({ ...draft, calls: calls.with(index, changed) })
            }}
            onRemove={
              calls.length === 1
                ? undefined
                : () => {
                    onChange({ ...draft, calls: calls.filter((other) => other !== call) })
                  }
            }
          />
        ))}
        {calls.length > 1 ? null : (
          <fieldset>
            <legend>How often</legend>
            <div class="fields">
              {times('exactly', 'Exactly')}
              {times('atLeast', 'At least', '1')}
              {times('atMost', 'At most')}
            </div>
            {errors['times'] === undefined ? null : <p class="problem">How often {errors['times']}</p>}
          </fieldset>
        )}
        <div class="buttons">
          <button type="submit" class="primary">
            Verify
          </button>
          <button
            type="button"
            onClick={() => {
              onChange({ ...draft, calls: [...calls, ANY_CALL] })
            }}
          >
            Then another call
          </button>
        </div>
      </form>
      {Object.keys(unreadable(draft)).length > 0 ? null : (
        <details>
          <summary>As JSON, for your tests</summary>
          <Json value={expectationOf(draft)} label="The expectation as JSON" />
        </details>
      )}
    </section>
  )
}

function CallFields({
  title,
  call,
  path,
  errors,
  onChange,
  onRemove
}: {
  title: string
  call: CallDraft
  path: string
  errors: FieldErrors
  onChange: (call: CallDraft) => void
  onRemove: (() => void) | undefined
}) {
  const operations = useOperations()
  const field = (name: keyof CallDraft, place: string) => ({
    value: call[name],
    onChange: (value: string) => {
      onChange({ ...call, [name]: value })
    },
    error: errors[`${path}${place}`]
  })
  return (
    <fieldset>
      <legend>{title}</legend>
      <div class="fields">
        <SelectField label="Operation" options={[['', 'choose'], ...operations]} {...field('operation', 'operation')} />
        <TextField
          label="Status"
          type="number"
          min={100}
          max={599}
          placeholder="any"
          {...field('status', 'where.status')}
        />
        <TextField label="Workspace id" placeholder="any" {...field('workspace', 'where.workspace_id')} />
        <TextField label="Workgroup id" placeholder="any" {...field('workgroup', 'where.workgroup_id')} />
        <TextArea label="Query has" placeholder={'{"name": "value"}'} {...field('query', 'where.query')} />
        <TextArea label="Body has" placeholder={'{"workspace_type_name": "SVC-2"}'} {...field('body', 'where.body')} />
      </div>
      {onRemove === undefined ? null : (
        <button type="button" aria-label={`Remove ${title.toLowerCase()}`} onClick={onRemove}>
          Remove
        </button>
      )}
    </fieldset>
  )
}
