import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

interface Common {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** What is wrong with the value: completes a sentence that begins with the label. */
  readonly error?: string | undefined
}

/** Attributes that connect a control with its error. */
interface Described {
  readonly 'aria-invalid'?: true
  readonly 'aria-describedby'?: string
}

/** A control with its label, and below it the error. (A notice announces the error, so it is no alert here.) */
function Field({
  label,
  error,
  control
}: Pick<Common, 'label' | 'error'> & { control: (described: Described) => ComponentChildren }) {
  const id = useId()
  return (
    <div class="field">
      <label>
        {label} {control(error === undefined ? {} : { 'aria-invalid': true, 'aria-describedby': id })}
      </label>
      {error === undefined ? null : (
        <p id={id} class="problem">
          {label} {error}
        </p>
      )}
    </div>
  )
}

/** A line of text, a number, or a date and time without a zone. All are texts, so that they can be empty. */
export function TextField({
  label,
  value,
  onChange,
  error,
  ...attributes
}: Common & {
  readonly type?: 'number' | 'datetime-local'
  readonly placeholder?: string
  readonly required?: boolean
  readonly min?: number
  readonly max?: number | string
  readonly step?: number | 'any'
}) {
  return (
    <Field
      label={label}
      error={error}
      control={(described) => (
        <input
          {...attributes}
          {...described}
          value={value}
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    />
  )
}

/** Several lines of text. */
export function TextArea({ label, value, onChange, error, placeholder }: Common & { readonly placeholder: string }) {
  return (
    <Field
      label={label}
      error={error}
      control={(described) => (
        <textarea
          {...described}
          rows={3}
          value={value}
          placeholder={placeholder}
          spellcheck={false}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    />
  )
}

/** A choice. */
export function SelectField({
  label,
  value,
  onChange,
  error,
  options
}: Common & { readonly options: readonly (readonly [value: string, name: string])[] }) {
  return (
    <Field
      label={label}
      error={error}
      control={(described) => (
        <select {...described} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
          {options.map(([option, name]) => (
            <option key={option} value={option}>
              {name}
            </option>
          ))}
        </select>
      )}
    />
  )
}
