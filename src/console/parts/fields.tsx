import type { ComponentProps } from 'preact'
import { useId } from 'preact/hooks'

type Attribute = 'max' | 'min' | 'pattern' | 'placeholder' | 'required' | 'step' | 'title' | 'type'

interface FieldProps extends Pick<ComponentProps<'input'>, Attribute> {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** Completes a sentence that begins with the label. */
  readonly error?: string | undefined
  readonly options?: readonly (readonly [value: string, name: string])[] | undefined
  readonly rows?: number
  /** A sentence below the control. */
  readonly hint?: string
  /** Id of the list of suggestions. */
  readonly list?: string
}

/** A control with its label: a select with `options`, a textarea with `rows`, otherwise an input. */
export function Field({ label, onChange, error, options, hint, ...attributes }: FieldProps) {
  const id = useId()
  const control = {
    ...attributes,
    ...(error !== undefined && { 'aria-invalid': true, 'aria-describedby': id }),
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => onChange(currentTarget.value)
  }
  return (
    <div class="field">
      <label>
        {label}{' '}
        {options !== undefined ? (
          <select {...control}>
            {options.map(([option, name]) => (
              <option key={option} value={option}>
                {name}
              </option>
            ))}
          </select>
        ) : attributes.rows === undefined ? (
          // Preact's types allow `list` only with some types of controls.
          <input {...(control as object)} autocomplete="off" spellcheck={false} />
        ) : (
          <textarea {...control} spellcheck={false} />
        )}
        {hint === undefined ? null : <small>{hint}</small>}
      </label>
      <Problem id={id} label={label} error={error} />
    </div>
  )
}

/** The error of a field. A notice announces it, so it is not an alert. */
export function Problem({ id, label, error }: { id?: string; label: string; error: string | undefined }) {
  return error === undefined ? null : (
    <p id={id} class="problem">
      {label} {error}
    </p>
  )
}

export function Check(props: { label: string; checked: boolean; onChange: (isChecked: boolean) => void }) {
  const { label, checked, onChange } = props
  return (
    <label class="row-label">
      <input type="checkbox" checked={checked} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
      {label}
    </label>
  )
}
