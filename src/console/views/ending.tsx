import type { Due, Workspace } from '../api/types'
import { distance } from '../model/time'
import { useApp } from '../parts/app-context'

export const LABELS = {
  pause: 'Pause',
  resume: 'Resume',
  refresh: 'Refresh',
  backup: 'Back up',
  activity: 'Simulate activity',
  delete: 'Delete',
  restore: 'Restore'
} as const

/** Events of workspaces that end no transition of their states. */
const OTHER_EVENTS = ['workspace.refresh', 'workspace.schedule', 'workspace.auto-stop']

/** Whether an event ends a transition of a workspace's state. */
export const endsTransition = (event: string): boolean =>
  event === 'restore.run' || (event.startsWith('workspace.') && !OTHER_EVENTS.includes(event))

/** The events that end present transitions, by workspace id. */
export function endsOf(events: readonly Due[]): Map<string, Due> {
  const ends = new Map<string, Due>()
  for (const due of events) {
    if ((endsTransition(due.event) || due.event === 'workspace.refresh') && !ends.has(due.resource_id))
      ends.set(due.resource_id, due)
  }
  return ends
}

/** Shows the progress of a transition under way, if there is one. */
export function Ending({ workspace, end }: { workspace: Workspace; end: Due | undefined }) {
  const { model } = useApp()
  if (end === undefined) return null
  if (end.due === null) return <span class="held">held</span>
  const due = Date.parse(end.due)
  const now = model.now()
  const begin = model.timeline.findLast(
    (item) => item.resource_id === workspace.workspace_id && item.at <= end.due!
  )?.at
  const start = begin === undefined ? due - 3000 : Date.parse(begin)
  const label = `${end.event.replace(/^.*\./, '')} ends ${distance(due, now)}`
  return (
    <>
      <progress max={Math.max(due - start, 1)} value={due > start ? now - start : 1} aria-label={label} />
      <span class="quiet due numbers">{distance(due, now)}</span>
    </>
  )
}
