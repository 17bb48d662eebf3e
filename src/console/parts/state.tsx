import type { BackupState, RestoreState, WorkspaceState } from '../api/types'

type KnownState = WorkspaceState | BackupState | RestoreState | 'gone'

/** States that have their own colours. The compiler asks for every state of the server. */
const KNOWN: Readonly<Record<KnownState, true>> = {
  Active: true,
  Creating: true,
  Resuming: true,
  Resizing: true,
  Restoring: true,
  Pausing: true,
  Stopped: true,
  Idle: true,
  Terminating: true,
  Failed: true,
  Running: true,
  Succeeded: true,
  Pending: true,
  gone: true
}

export const stateClass = (state: string) => `state-${Object.hasOwn(KNOWN, state) ? state : 'other'}`

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
