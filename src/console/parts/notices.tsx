import { useEffect, useState } from 'preact/hooks'
import { Guard, type Outcome, useApp } from './app-context'
import { Button } from './blocks'

export interface Notice extends Outcome {
  readonly error?: unknown
  /** The model's version at that time. */
  readonly version: number
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

/** A success disappears after a while; a failure also waits until a resource changes or the server is back. */
function Message({ notice: { message, undo, error, version }, onGone }: { notice: Notice; onGone: () => void }) {
  const { model, attempt } = useApp()
  const [isRead, setRead] = useState(false)
  const isOver = isRead && (error === undefined || model.version !== version)
  useEffect(() => {
    const timer = setTimeout(() => setRead(true), READING_MS)
    return () => clearTimeout(timer)
  }, [])
  useEffect(() => {
    if (isOver) onGone()
  }, [isOver])
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
