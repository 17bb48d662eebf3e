import { demoState } from '../../documents/demo'
import type { Profile } from '../api/types'
import { Guard, useApp } from '../parts/app-context'
import { Button, Json } from '../parts/blocks'
import { CopyButton } from '../parts/copy'

/** Offers ways to fill an empty sandbox. */
export function EmptySandbox() {
  const { model, attempt, confirm } = useApp()
  if (model.isPast) return <p class="quiet empty">The sandbox is empty at this moment.</p>
  const load = async () => {
    const isUsed = model.requests.length + model.faults.length + model.transitions.rules.length > 0
    const text = 'It replaces the whole sandbox, with its requests, faults and rules.'
    if (isUsed && !(await confirm('Load the demo?', text, 'Load'))) return
    await attempt(async () => {
      const { catalogue } = await model.client.read<Profile>('/profile')
      return model.client.control('PUT', '/seed', demoState(catalogue))
    })
  }
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
        <span class="quiet">A workgroup with a workspace in each state that lasts.</span>
      </p>
      <p>Or create a workgroup with this key:</p>
      <Json value={command} label="Command that creates a workgroup" />
      <CopyButton text={command} label="Copy" />
      <p class="quiet">
        You can also press New workgroup, or import a document under <a href="#/state">State</a>.
      </p>
    </div>
  )
}
