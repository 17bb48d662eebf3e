import { useApp } from '../parts/app-context'
import { Guard } from '../parts/guard'
import { useUndoable } from '../parts/use-undoable'

/** Says that the server's seed has not reached this sandbox, and offers a reset. */
export function PredatesSeed() {
  const { model, confirm } = useApp()
  const undoable = useUndoable()
  const reset = async () => {
    const isConfirmed = await confirm({
      title: 'Reset to the seed?',
      text: 'The sandbox gets the contents that new ones start with. Snapshots stay.',
      verb: 'Reset'
    })
    if (isConfirmed) await undoable(async () => (await model.client.control('POST', '/reset', {})).message)
  }
  return (
    <div class="bar" role="note">
      <span>This sandbox is older than the server’s seed, and keeps its own state.</span>
      <Guard>
        <button type="button" onClick={() => void reset()}>
          Reset to the seed…
        </button>
      </Guard>
    </div>
  )
}
