import { useApp } from '../parts/app-context'
import { Button } from '../parts/blocks'
import { Guard } from '../parts/guard'
import { useUndoable } from '../parts/use-undoable'

/** Says that the server's seed has not reached this sandbox, and offers a reset. */
export function PredatesSeed() {
  const { model, confirm } = useApp()
  const undoable = useUndoable()
  const reset = async () => {
    const text = 'The sandbox gets the contents that new ones start with. Snapshots stay.'
    if (await confirm('Reset to the seed?', text, 'Reset'))
      await undoable(() => model.client.control('POST', '/reset', {}))
  }
  return (
    <div class="bar" role="note">
      <span>This sandbox is older than the server’s seed, and keeps its own state.</span>
      <Guard>
        <Button text="Reset to the seed…" onClick={reset} />
      </Guard>
    </div>
  )
}
