/** The class that gives a state its colours. A profile may have any words for states. */
export const stateClass = (state: string) => `state-${state.replaceAll(' ', '-')}`

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

/** An HTTP status, by colour and by text. */
export function Status({ status }: { status: number | null }) {
  if (status === null) return <span class="status status-lost code">lost</span>
  return <span class={`status status-${Math.floor(status / 100)}xx code`}>{status}</span>
}
