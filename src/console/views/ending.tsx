import type { Due, Workspace } from '../api/types'
import { distance } from '../model/time'
import { useApp } from '../parts/app-context'
import { Progress } from '../parts/state'

/** The actions of a workspace, as their buttons name them. */
export const LABELS = {
  pause: 'Pause',
  resume: 'Resume',
  refresh: 'Refresh',
  backup: 'Back up',
  activity: 'Simulate activity',
  delete: 'Delete',
  restore: 'Restore'
} as const

/** States on the way to another one. */
const TRANSIENT = new Set(['Creating', 'Stopping', 'Resuming', 'Resizing', 'Restoring', 'Terminating'])

/** What brings a workspace out of the state that it is in, by its id. */
export function endsOf(events: readonly Due[]): Map<string, Due> {
  const ends = new Map<string, Due>()
  for (const due of events) {
    if (
      /^workspace\.(create|pause|resume|resize|delete|refresh)$|^restore\.run$/.test(due.event) &&
      !ends.has(due.resource_id)
    )
      ends.set(due.resource_id, due)
  }
  return ends
}

/** How far the transition is that is under way, if one is. */
export function Ending({ workspace, end }: { workspace: Workspace; end: Due | undefined }) {
  const { model } = useApp()
  if (end === undefined)
    return workspace.refresh_status === 'Refreshing' || TRANSIENT.has(workspace.status) ? (
      <span class="quiet">…</span>
    ) : null
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
      <Progress share={due <= start ? 1 : (now - start) / (due - start)} label={label} />
      <span class="quiet due">{distance(due, now)}</span>
    </>
  )
}
