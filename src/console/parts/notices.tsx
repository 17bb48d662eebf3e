import { useEffect, type useState } from 'preact/hooks'
import { Guard, type Outcome, useApp } from './app-context'
import { Button } from './blocks'

export interface Notice extends Outcome {
  readonly error?: unknown
  /** Identifies the notice. */
  readonly at: number
}

/** The notice that is shown, if any, and its setter. It outlives the frame that shows it. */
export type NoticeState = ReturnType<typeof useState<Notice>>

export function Notices({ notice, onGone }: { notice: Notice | undefined; onGone: () => void }) {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notice === undefined ? null : <Message key={notice.at} notice={notice} onGone={onGone} />}
    </div>
  )
}

/** Minimum time to read a notice, in milliseconds. */
const READING_MS = 10_000

/** A success disappears after a while; a failure stays until it is dismissed, or another notice takes its place. */
function Message({ notice: { message, undo, error }, onGone }: { notice: Notice; onGone: () => void }) {
  const { attempt } = useApp()
  useEffect(() => {
    if (error !== undefined) return undefined
    const timer = setTimeout(onGone, READING_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div class={error === undefined ? 'notice' : 'notice error'}>
      <span>{message}</span>
      {undo === undefined ? null : (
        <Guard>
          <Button text="Undo" onClick={() => attempt(undo)} />
        </Guard>
      )}
      <Button text="×" label="Dismiss" onClick={onGone} />
    </div>
  )
}
