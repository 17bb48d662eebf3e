import { useState } from 'preact/hooks'
import { messageOf } from '../api/client'
import type { Database, Workgroup } from '../api/types'
import type { DraftGroup } from '../model/schema-form'
import { useApp } from '../parts/app-context'
import { Button, Dialog } from '../parts/blocks'
import { SchemaForm } from '../parts/schema-form'

/** A resource to create by a call of the interface. */
export interface Plan {
  readonly title: string
  readonly operation: string
  /** The ids that it takes. */
  readonly ids?: Readonly<Record<string, string>>
  /** Initial values, by the built-in names of the fields. */
  readonly start?: DraftGroup
  /** Options of fields, by their built-in names. */
  readonly choices?: Readonly<Record<string, readonly (readonly [value: string, name: string])[]>>
}

export const NEW_WORKGROUP: Plan = {
  title: 'New workgroup',
  operation: 'createWorkgroup',
  start: { cloud_provider_id: 'my-account' }
}

export const newWorkspace = ({ workgroup_id: id, name }: Workgroup, databases: Iterable<Database>): Plan => ({
  title: `New workspace in ${name}`,
  operation: 'createWorkspace',
  ids: { workgroupID: id },
  choices: {
    svc_database_id: [...databases]
      .filter(({ workgroup_id: group }) => group === id)
      .map((database) => [database.database_id, database.name] as const)
  }
})

/** A form with all fields of the call. */
export function Creation({ plan, onClose }: { plan: Plan; onClose: () => void }) {
  const { title, operation, ids, start = {}, choices = {} } = plan
  const { model, attempt } = useApp()
  // The schema has the names of the profile.
  const named = <T,>(fields: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [model.names.fields[name] ?? name, value]))
  const draft = useState<DraftGroup>(named(start))
  // The dialog would cover a notice.
  const [problem, setProblem] = useState<string>()
  return (
    <Dialog title={title} onClose={onClose}>
      <SchemaForm
        operation={operation}
        label={title}
        verb="Create"
        draft={draft}
        choices={named(choices)}
        call={(body) => model.call(operation, { ...ids, body })}
        show={async (create) => {
          try {
            const answer = await create()
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
