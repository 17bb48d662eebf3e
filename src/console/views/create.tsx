import { useState } from 'preact/hooks'
import { messageOf } from '../api/client'
import type { Workgroup } from '../api/types'
import type { DraftGroup } from '../model/schema-form'
import { useApp } from '../parts/app-context'
import { Button, Dialog } from '../parts/blocks'
import { SchemaForm } from '../parts/schema-form'

export function NewWorkgroup({ onClose }: { onClose: () => void }) {
  return (
    <Creation
      title="New workgroup"
      operation="createWorkgroup"
      path="/workgroups"
      start={{ cloud_provider_id: 'my-account' }}
      onClose={onClose}
    />
  )
}

export function NewWorkspace({ group, onClose }: { group: Workgroup; onClose: () => void }) {
  const { model } = useApp()
  const databases = [...model.databases.values()].filter(({ workgroup_id: id }) => id === group.workgroup_id)
  return (
    <Creation
      title={`New workspace in ${group.name}`}
      operation="createWorkspace"
      path={`/workgroups/${encodeURIComponent(group.workgroup_id)}/workspaces`}
      choices={{ svc_database_id: databases.map(({ database_id: id, name }) => [id, name] as const) }}
      onClose={onClose}
    />
  )
}

interface CreationProps {
  readonly title: string
  readonly operation: string
  /** Below the prefix of the interface. */
  readonly path: string
  /** Initial values, by the built-in names of the fields. */
  readonly start?: DraftGroup
  /** Options of fields, by their built-in names. */
  readonly choices?: Readonly<Record<string, readonly (readonly [value: string, name: string])[]>>
  readonly onClose: () => void
}

/** Creates a resource by a call of the interface, with all fields of the call. */
function Creation({ title, operation, path, start = {}, choices = {}, onClose }: CreationProps) {
  const { model, attempt } = useApp()
  // The schema has the names of the profile.
  const named = <T,>(fields: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [model.names.fields[name] ?? name, value]))
  const [draft, setDraft] = useState<DraftGroup>(named(start))
  // The dialog would cover a notice.
  const [problem, setProblem] = useState<string>()
  return (
    <Dialog title={title} onClose={onClose}>
      <SchemaForm
        operation={operation}
        label={title}
        verb="Create"
        draft={draft}
        onChange={setDraft}
        choices={named(choices)}
        onSubmit={async (body, noting) => {
          const create = () => model.client.call('POST', model.controller + path, body, model.names.fields)
          try {
            const answer = await noting(create)()
            await attempt(async () => answer)
            onClose()
          } catch (error) {
            setProblem(messageOf(error))
          }
        }}
      >
        <Button text="Cancel" onClick={onClose} />
        <p class="problem" role="alert">
          {problem}
        </p>
      </SchemaForm>
    </Dialog>
  )
}
