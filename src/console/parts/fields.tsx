import { useId } from 'preact/hooks'

export interface FieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** What is wrong with the value: completes a sentence that begins with the label. */
  readonly error?: string | undefined
  /** What it is chosen from. */
  readonly options?: readonly (readonly [value: string, name: string])[] | undefined
  /** Lines of a longer text. */
  readonly rows?: number
  readonly type?: 'number' | 'datetime-local'
  /** What it means. */
  readonly title?: string | undefined
  readonly placeholder?: string
  readonly required?: boolean
  readonly min?: number
  readonly max?: number | string
  readonly step?: number | 'any'
}

/** A control with its label. Its value is a text, so that it can be empty. */
export function Field({ label, onChange, error, options, ...attributes }: FieldProps) {
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
          <input {...control} autocomplete="off" spellcheck={false} />
        ) : (
          <textarea {...control} spellcheck={false} />
        )}
      </label>
      <Problem id={id} label={label} error={error} />
    </div>
  )
}

/** What is wrong with a field. (A notice announces it, so it is no alert here.) */
export function Problem({ id, label, error }: { id?: string; label: string; error: string | undefined }) {
  return error === undefined ? null : (
    <p id={id} class="problem">
      {label} {error}
    </p>
  )
}

/** A choice between yes and no. */
export function Check(props: { label: string; checked: boolean; onChange: (isChecked: boolean) => void }) {
  const { label, checked, onChange } = props
  return (
    <label class="check">
      <input type="checkbox" checked={checked} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />{' '}
      {label}
    </label>
  )
}
