import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { messageOf } from '../api/client'
import {
  type Draft,
  type DraftGroup,
  groupOf,
  kindOf,
  labelOf,
  pathTo,
  readDraft,
  type Schema,
  textOf,
  withoutNull
} from '../model/schema-form'
import { type FieldErrors, useFieldErrors } from './actions'
import { Guard, type Outcome, useApp } from './app-context'
import { Form, Json, Pending } from './blocks'
import { Field, Problem } from './fields'

/** Options of fields whose schemas do not list any, by name. */
type Choices = Readonly<Record<string, readonly (readonly [value: string, name: string])[]>>

interface Props<T extends Outcome> {
  readonly operation: string
  /** The part of the body that the form is for; absent: all of it. */
  readonly part?: { readonly path: string; readonly of: (body: Schema) => Schema }
  readonly label: string
  /** Label of the submit button. */
  readonly verb: string
  readonly draft: readonly [draft: DraftGroup, change: (draft: DraftGroup) => void]
  readonly call: (value: object) => Promise<T>
  /** Makes the call, and shows its outcome in place of a notice. */
  readonly show?: (call: () => Promise<T>) => unknown
  readonly choices?: Choices
  readonly children?: ComponentChildren
}

/** A form for the body of a call, made from the call's schema. */
export function SchemaForm<T extends Outcome>({ operation, part, label, verb, call, ...rest }: Props<T>) {
  const { attempt } = useApp()
  const [draft, setDraft] = rest.draft
  const { schema: body, error } = useBodySchema(operation)
  const [errors, noting, setErrors] = useFieldErrors()
  if (error !== undefined) return <p class="problem">{error}</p>
  if (body === undefined) return <Pending error={undefined} />
  const { path = '', of = (whole: Schema) => whole } = part ?? {}
  const schema = of(body)
  const { value = {}, errors: unreadable } = readDraft(schema, draft, path)
  const isReadable = Object.keys(unreadable).length === 0
  return (
    <Form
      class="stack"
      aria-label={label}
      onSubmit={() => {
        if (isReadable) return (rest.show ?? attempt)(noting(() => call(value as object)))
        setErrors(unreadable)
        return undefined
      }}
    >
      <Group
        form={{ errors, choices: rest.choices ?? {} }}
        schema={schema}
        path={path}
        draft={draft}
        onChange={(next) => setDraft(groupOf(next))}
      />
      <div class="buttons">
        <Guard>
          <button type="submit" class="primary">
            {verb}
          </button>
        </Guard>
        {rest.children}
      </div>
      {isReadable ? (
        <details>
          <summary>As JSON, for your tests</summary>
          <Json value={value} label={`${label} as JSON`} />
        </details>
      ) : null}
    </Form>
  )
}

/** Reads the schema of a call's body from the server, as a profile may change its names and limits. */
function useBodySchema(operation: string): { readonly schema?: Schema; readonly error?: string } {
  const { model } = useApp()
  const [state, setState] = useState<ReturnType<typeof useBodySchema>>({})
  useEffect(() => {
    if (state.schema !== undefined) return
    model.client.bodySchema(operation).then(
      (schema) => setState({ schema }),
      (error: unknown) => setState({ error: messageOf(error) })
    )
  }, [model.link])
  return state
}

interface PartProps<D> {
  readonly form: { readonly errors: FieldErrors; readonly choices: Choices }
  readonly schema: Schema
  readonly path: string
  readonly draft: D
  readonly onChange: (draft: Draft) => void
}

interface FieldProps extends PartProps<Draft | undefined> {
  readonly name: string
  readonly isRequired: boolean
}

/** The fields of an object, nested objects last. */
function Group({ form, schema, path, draft, onChange }: PartProps<DraftGroup>) {
  const { properties = {}, required = [] } = withoutNull(schema)
  const fields = (areGroups: boolean) =>
    Object.entries(properties)
      .filter(([, field]) => (kindOf(field) === 'group') === areGroups)
      .map(([name, field]) => {
        const Entry = areGroups ? Section : Control
        return (
          <Entry
            key={name}
            form={form}
            name={name}
            schema={field}
            path={pathTo(path, name)}
            isRequired={required.includes(name)}
            draft={draft[name]}
            onChange={(next) => onChange({ ...draft, [name]: next })}
          />
        )
      })
  return (
    <>
      <div class="fields">{fields(false)}</div>
      {fields(true)}
    </>
  )
}

/** A nested object, folded while it is optional and empty. */
function Section({ name, isRequired, draft, ...part }: FieldProps) {
  const label = labelOf(name)
  return (
    <details class="section" open={isRequired || draft !== undefined}>
      <summary title={part.schema.description}>{label}</summary>
      <fieldset aria-label={label}>
        <Group draft={groupOf(draft)} {...part} />
        <Problem label={label} error={part.form.errors[part.path]} />
      </fieldset>
    </details>
  )
}

function Control({ name, isRequired, form, schema, path, draft, onChange }: FieldProps) {
  const { enum: values, minimum: min, maximum: max, type } = withoutNull(schema)
  const field = {
    label: labelOf(name),
    title: schema.description,
    value: textOf(draft),
    onChange,
    error: form.errors[path]
  }
  const kind = kindOf(schema)
  const flags = [['true', 'yes'] as const, ['false', 'no'] as const]
  const options =
    form.choices[name] ??
    values?.map((value) => [String(value), String(value)] as const) ??
    (kind === 'flag' ? flags : undefined)
  if (options !== undefined) return <Field {...field} options={[['', isRequired ? 'choose' : 'not set'], ...options]} />
  if (kind === 'json') return <Field {...field} rows={3} placeholder="JSON" />
  return (
    <Field
      {...field}
      {...(kind === 'number' && { type: 'number', step: type === 'integer' ? 1 : 'any' })}
      {...(min !== undefined && { min })}
      {...(max !== undefined && max < Number.MAX_SAFE_INTEGER && { max })}
    />
  )
}
