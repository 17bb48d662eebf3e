/** The class for the colours of a state. With a profile, names of states may contain spaces. */
export const stateClass = (state: string) => `state-${state.replaceAll(' ', '-')}`

export function State({ name }: { name: string }) {
  return <span class={`state ${stateClass(name)}`}>{name}</span>
}

export function Progress({ share, label }: { share: number; label: string }) {
  const percent = Math.round(Math.max(0, Math.min(1, share)) * 100)
  return (
    <progress max={100} value={percent} aria-label={label}>
      {percent} %
    </progress>
  )
}

/** @param status HTTP status; null: no reply was sent */
export function Status({ status }: { status: number | null }) {
  if (status === null) return <span class="status status-lost code">lost</span>
  return <span class={`status status-${Math.floor(status / 100)}xx code`}>{status}</span>
}
