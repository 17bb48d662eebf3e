import { useEffect, useRef, useState } from 'preact/hooks'
import { CallError } from '../api/client'
import type { SandboxModel } from '../model/sandbox'
import { type Undoable, useApp } from './app-context'
import { Guard } from './guard'

/** The outcome of an action. */
export interface Notice {
  readonly text: string
  readonly undo?: Undoable['undo']
  readonly isError: boolean
  /** Whether the server did not answer. */
  readonly isUnanswered: boolean
  /** Number of changes of workgroups, databases and workspaces so far. */
  readonly version: number
  /** Tells notices with the same text apart. */
  readonly at: number
}

export function success(done: string | Undoable, { version }: SandboxModel): Notice {
  const outcome = typeof done === 'string' ? { text: done } : done
  return { ...outcome, isError: false, isUnanswered: false, version, at: performance.now() }
}

export function failure(error: unknown, { version }: SandboxModel): Notice {
  const isKnown = error instanceof CallError || error instanceof SyntaxError
  return {
    text: isKnown ? error.message : String(error),
    isError: true,
    isUnanswered: error instanceof CallError && error.status === 0,
    version,
    at: performance.now()
  }
}

/** Shows the outcome of the last action for as long as it matters. */
export function Notices({ notice, onGone }: { notice: Notice | undefined; onGone: () => void }) {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notice === undefined ? null : <Message key={notice.at} notice={notice} onGone={onGone} />}
    </div>
  )
}

/** How long a notice can be read at least, in milliseconds. */
const READING = 6000
/** The same for one that offers to undo: that takes a decision. */
const DECIDING = 20_000

/**
 * A success goes when it can have been read; a refusal also waits until a resource changes, because then it may no
 * longer be true. A missing answer goes when the server is back.
 */
function Message({ notice, onGone }: { notice: Notice; onGone: () => void }) {
  const { model, attempt } = useApp()
  const [isRead, setRead] = useState(false)
  const wasLost = useRef(false)
  if (model.link === 'lost') wasLost.current = true
  const isBack = wasLost.current && model.link === 'live'
  const isOver = (notice.isUnanswered && isBack) || (isRead && (!notice.isError || model.version !== notice.version))
  useEffect(() => {
    const timer = setTimeout(() => setRead(true), notice.undo === undefined ? READING : DECIDING)
    return () => clearTimeout(timer)
  }, [])
  useEffect(() => {
    if (isOver) onGone()
  }, [isOver])
  return (
    <div class={notice.isError ? 'notice error' : 'notice'}>
      <span>{notice.text}</span>
      {notice.undo === undefined ? null : (
        <Guard>
          <button type="button" onClick={() => void attempt(notice.undo!)}>
            Undo
          </button>
        </Guard>
      )}
      <button type="button" aria-label="Dismiss" onClick={onGone}>
        ×
      </button>
    </div>
  )
}
