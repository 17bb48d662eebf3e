import { useMemo } from 'preact/hooks'
import { groupBy } from '../model/group-by'
import { useApp } from '../parts/app-context'
import { State } from '../parts/state'

/** Counts the workspaces by state, and limits the list to some of the states. */
export function StateFilter({ chosen, onToggle }: { chosen: ReadonlySet<string>; onToggle: (state: string) => void }) {
  const { model } = useApp()
  const byState = useMemo(() => groupBy([...model.workspaces.values()], ({ status }) => status), [model.version])
  // A chosen state stays, even if no workspace has it any more.
  const states = [...new Set([...byState.keys(), ...chosen])].sort((a, b) => a.localeCompare(b))
  return (
    <div class="counts" role="group" aria-label="Filter by state">
      {states.map((state) => (
        <button key={state} type="button" class="chip" aria-pressed={chosen.has(state)} onClick={() => onToggle(state)}>
          <State name={state} /> {byState.get(state)?.length ?? 0}
        </button>
      ))}
    </div>
  )
}
