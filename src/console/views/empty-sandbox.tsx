import { demoState } from '../../documents/demo'
import type { Profile } from '../api/types'
import { useUndoable } from '../parts/actions'
import { Guard, useApp } from '../parts/app-context'
import { Button } from '../parts/blocks'

export function EmptySandbox() {
  const { model } = useApp()
  const undoable = useUndoable()
  if (model.isPast) return <p class="quiet empty">The sandbox is empty at this moment.</p>
  const load = () =>
    undoable(async () => {
      const { catalogue } = await model.client.read<Profile>('/profile')
      return model.client.control('PUT', '/seed', demoState(catalogue))
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
    </div>
  )
}
