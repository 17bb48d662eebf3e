import { demoState } from '../../documents/demo'
import type { Profile } from '../api/types'
import { useUndoable } from '../parts/actions'
import { Guard, useApp } from '../parts/app-context'
import { Button, Json } from '../parts/blocks'
import { CopyButton } from '../parts/copy'

export function EmptySandbox() {
  const { model } = useApp()
  const undoable = useUndoable()
  if (model.isPast) return <p class="quiet empty">The sandbox is empty at this moment.</p>
  const load = () =>
    undoable(async () => {
      const { catalogue } = await model.client.read<Profile>('/profile')
      return model.client.control('PUT', '/seed', demoState(catalogue))
    })
  const command = model.client.commandFor({
    operation: 'createWorkgroup',
    method: 'POST',
    path: `${model.controller}/workgroups`,
    body: { cloud_provider_id: 'my-account', name: 'first' }
  })
  return (
    <div class="empty first-look">
      <h2>This sandbox is empty.</h2>
      <p class="line">
        <Guard>
          <Button text="Load demo" class="primary" onClick={load} />
        </Guard>{' '}
        <span class="quiet">A workgroup with a workspace in each stable state.</span>
      </p>
      <p>Or create a workgroup from the command line:</p>
      <Json value={command} label="Command that creates a workgroup" />
      <CopyButton text={command} label="Copy" />
    </div>
  )
}
