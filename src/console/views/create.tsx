import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Workgroup } from '../api/types'
import { useApp } from '../parts/app-context'
import { Dialog } from '../parts/dialog'
import { Guard } from '../parts/guard'

/** Creates a workgroup through the interface. */
export function NewWorkgroup({ onClose }: { onClose: () => void }) {
  return (
    <Creation title="New workgroup" path="/workgroups" fields={{ cloud_provider_id: 'my-account' }} onClose={onClose} />
  )
}

/** Creates a workspace in a workgroup through the interface. */
export function NewWorkspace({ group, onClose }: { group: Workgroup; onClose: () => void }) {
  const { model } = useApp()
  const [database, setDatabase] = useState('')
  const databases = [...model.databases.values()].filter(({ workgroup_id: id }) => id === group.workgroup_id)
  return (
    <Creation
      title={`New workspace in ${group.name}`}
      path={`/workgroups/${encodeURIComponent(group.workgroup_id)}/workspaces`}
      fields={database === '' ? {} : { svc_database_id: database, is_rw: false }}
      onClose={onClose}
    >
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
    </Creation>
  )
}

interface CreationProps {
  readonly title: string
  /** Below that of the interface. */
  readonly path: string
  /** Of the request, besides the name. */
  readonly fields: object
  readonly onClose: () => void
  /** Further inputs. */
  readonly children?: ComponentChildren
}

/** Asks for a name, and creates something that may have one. */
function Creation({ title, path, fields, onClose, children }: CreationProps) {
  const { model, attempt } = useApp()
  const [name, setName] = useState('')
  const create = () =>
    attempt(async () => {
      const named = name.trim() === '' ? {} : { name: name.trim() }
      return (await model.call('POST', model.controller + path, { ...fields, ...named })).message
    })
  return (
    <Dialog title={title} onClose={onClose}>
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
        {children}
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
