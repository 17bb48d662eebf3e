import { useState } from 'preact/hooks'
import type { Clock } from '../api/types'
import { duration } from '../model/time'
import { useApp } from './app-context'
import { Now } from './time'
import { useTick } from './use'
import { useUndoable } from './use-undoable'

const STEPS = [
  ['PT1S', '1 s'],
  ['PT1M', '1 min'],
  ['PT1H', '1 h'],
  ['P1D', '1 d']
] as const

/** Shows the sandbox's clock, and moves it. Every view has it. */
export function ClockBar() {
  const { model, attempt } = useApp()
  const undoable = useUndoable()
  const [isBusy, setBusy] = useState(false)
  const { clock } = model
  useTick(250, clock?.mode === 'real')
  if (clock === undefined) return null
  const now = model.now()
  const next = model.events.find(({ due }) => due !== null)
  const run = async (action: () => Promise<string>, begin: typeof undoable = attempt) => {
    setBusy(true)
    await begin(action)
    setBusy(false)
  }
  const set = (setting: Partial<Clock>) =>
    run(async () => (await model.client.control('PUT', '/clock', setting)).message)
  const advance = (body: object) =>
    run(async () => {
      const { message, result } = await model.client.control<{ fired: unknown[] }>('POST', '/clock/advance', body)
      return `${message.replace(/\.$/, '')}, in the sandbox (${result.fired.length} run).`
    }, undoable)
  const isRunning = clock.mode === 'real'
  return (
    <section class="clock" aria-label="Clock">
      <div class="clock-face">
        <span class={`mode mode-${clock.mode}`}>
          {clock.mode}
          {isRunning && clock.rate !== 1 ? ` ×${clock.rate}` : ''}
        </span>
        <Now at={now} />
        <span class="next">
          {next === undefined ? 'nothing is due' : `next: ${next.event} in ${duration(Date.parse(next.due!) - now)}`}
        </span>
      </div>
      <div class="clock-actions" role="group" aria-label="Move the clock">
        {isRunning ? (
          <button type="button" disabled={isBusy} onClick={() => void set({ mode: 'frozen' })}>
            Freeze
          </button>
        ) : (
          <button type="button" disabled={isBusy} onClick={() => void set({ mode: 'real' })}>
            Run
          </button>
        )}
        {STEPS.map(([by, name]) => (
          <button
            key={by}
            type="button"
            disabled={isBusy}
            aria-label={`Advance by ${name}`}
            onClick={() => void advance({ by })}
          >
            +{name}
          </button>
        ))}
        <button type="button" disabled={isBusy} onClick={() => void advance({ until: 'idle' })}>
          Until idle
        </button>
      </div>
    </section>
  )
}
