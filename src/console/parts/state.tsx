/** States that have their own colours. */
const KNOWN = new Set([
  'Active',
  'Creating',
  'Resuming',
  'Resizing',
  'Restoring',
  'Stopping',
  'Stopped',
  'Idle',
  'Terminating',
  'Failed',
  'Running',
  'Succeeded',
  'Pending',
  'gone'
])

export const stateClass = (state: string) => `state-${KNOWN.has(state) ? state : 'other'}`

/** A state, by colour and by text. */
export function State({ name }: { name: string }) {
  return <span class={`state ${stateClass(name)}`}>{name}</span>
}

/** Progress of something whose end is known. */
export function Progress({ share, label }: { share: number; label: string }) {
  const percent = Math.round(Math.max(0, Math.min(1, share)) * 100)
  return (
    <progress class="progress" max={100} value={percent} aria-label={label}>
      {percent} %
    </progress>
  )
}
