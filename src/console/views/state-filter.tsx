import { useMemo } from 'preact/hooks'
import { groupBy } from '../model/group-by'
import { toggled } from '../model/toggled'
import { useApp } from '../parts/app-context'
import { State } from '../parts/state'

/** Counts the workspaces by state, and limits the list to some of the states. */
export function StateFilter(props: { chosen: ReadonlySet<string>; onChoose: (states: ReadonlySet<string>) => void }) {
  const { chosen, onChoose } = props
  const { model } = useApp()
  const byState = useMemo(() => groupBy([...model.workspaces.values()], ({ status }) => status), [model.version])
  // A chosen state stays, even if no workspace has it any more.
  const states = [...new Set([...byState.keys(), ...chosen])].sort((a, b) => a.localeCompare(b))
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
          <State name={state} /> {byState.get(state)?.length ?? 0}
        </button>
      ))}
    </div>
  )
}
