import { useState } from 'preact/hooks'
import type { Workgroup } from '../api/types'
import { useApp } from '../parts/app-context'
import { Dialog } from '../parts/dialog'
import { Guard } from '../parts/guard'

/** Creates a workgroup through the interface. */
export function NewWorkgroup({ onClose }: { onClose: () => void }) {
  const { model, attempt } = useApp()
  const [name, setName] = useState('')
  const create = () =>
    attempt(
      async () =>
        (
          await model.call('POST', `${model.controller}/workgroups`, {
            cloud_provider_id: 'my-account',
            ...(name.trim() === '' ? {} : { name: name.trim() })
          })
        ).message
    )
  return (
    <Dialog title="New workgroup" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void create().then((isDone) => {
            if (isDone) onClose()
          })
        }}
      >
        <label>
          Name{' '}
          <input
            value={name}
            placeholder="made by the server"
            maxLength={256}
            onInput={({ currentTarget }) => {
              setName(currentTarget.value)
            }}
          />
        </label>
        <div class="buttons">
          <Guard>
            <button type="submit" class="primary">
              Create
            </button>
          </Guard>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** Creates a workspace in a workgroup through the interface. */
export function NewWorkspace({ group, onClose }: { group: Workgroup; onClose: () => void }) {
  const { model, attempt } = useApp()
  const [name, setName] = useState('')
  const [database, setDatabase] = useState('')
  const databases = [...model.databases.values()].filter(({ workgroup_id: id }) => id === group.workgroup_id)
  const create = () =>
    attempt(
      async () =>
        (
          await model.call(
            'POST',
            `${model.controller}/workgroups/${encodeURIComponent(group.workgroup_id)}/workspaces`,
            {
              ...(name.trim() === '' ? {} : { name: name.trim() }),
              ...(database === '' ? {} : { svc_database_id: database, is_rw: false })
            }
          )
        ).message
    )
  return (
    <Dialog title={`New workspace in ${group.name}`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void create().then((isDone) => {
            if (isDone) onClose()
          })
        }}
      >
        <label>
          Name{' '}
          <input
            value={name}
            placeholder="made by the server"
            maxLength={256}
            onInput={({ currentTarget }) => {
              setName(currentTarget.value)
            }}
          />
        </label>
        <label>
          Database
          <select
            value={database}
            onChange={({ currentTarget }) => {
              setDatabase(currentTarget.value)
            }}
          >
            <option value="">a new one, read-write</option>
            {databases.map(({ database_id: id, name: title }) => (
              <option key={id} value={id}>
                {title}, read-only
              </option>
            ))}
          </select>
        </label>
        <div class="buttons">
          <Guard>
            <button type="submit" class="primary">
              Create
            </button>
          </Guard>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  )
}
