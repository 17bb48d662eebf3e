import { useMemo } from 'preact/hooks'
import { toggled } from '../model/toggled'
import { useApp } from '../parts/app-context'
import { State } from '../parts/state'

/** Counts the workspaces by state, and limits the list to some of the states. */
export function StateFilter(props: { chosen: ReadonlySet<string>; onChoose: (states: ReadonlySet<string>) => void }) {
  const { chosen, onChoose } = props
  const { model } = useApp()
  const counts = useMemo(() => {
    const found = new Map<string, number>()
    for (const { status } of model.workspaces.values()) found.set(status, (found.get(status) ?? 0) + 1)
    return found
  }, [model.version])
  // A chosen state stays, even if no workspace has it any more.
  const states = [...new Set([...counts.keys(), ...chosen])].sort((a, b) => a.localeCompare(b))
  return (
    <div class="counts" role="group" aria-label="Filter by state">
      {states.map((state) => (
        <button
          key={state}
          type="button"
          class="chip"
          aria-pressed={chosen.has(state)}
          onClick={() => onChoose(toggled(chosen, state))}
        >
          <State name={state} /> {counts.get(state) ?? 0}
        </button>
      ))}
    </div>
  )
}
