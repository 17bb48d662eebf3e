import type { ClockMode } from '../api/types'
import { duration } from '../model/time'
import { useUndoable } from './actions'
import { useApp } from './app-context'
import { Button } from './blocks'
import { Now } from './time'
import { useTick } from './use'

const STEPS = [
  ['PT1S', '1 s'],
  ['PT1M', '1 min'],
  ['PT1H', '1 h'],
  ['P1D', '1 d']
] as const

export function ClockBar() {
  const { model, attempt } = useApp()
  const undoable = useUndoable()
  const { clock, next } = model
  useTick(250, clock?.mode === 'real')
  if (clock === undefined) return null
  const now = model.now()
  const set = (mode: ClockMode) => attempt(() => model.client.control('PUT', '/clock', { mode }))
  const advance = (body: object) => undoable(() => model.client.control('POST', '/clock/advance', body))
  const isRunning = clock.mode === 'real'
  return (
    <section class="clock" aria-label="Clock">
      <div class="clock-face">
        <span class={`tag mode mode-${clock.mode}`}>
          {clock.mode}
          {isRunning && clock.rate !== 1 ? ` ×${clock.rate}` : ''}
        </span>
        <Now at={now} />
        <span class="next quiet">
          {next === undefined ? 'nothing is due' : `next in ${duration(Date.parse(next.due) - now)}: ${next.event}`}
        </span>
      </div>
      <div class="clock-actions" role="group" aria-label="Move the clock">
        <Button text={isRunning ? 'Freeze' : 'Run'} onClick={() => set(isRunning ? 'frozen' : 'real')} />
        {STEPS.map(([by, name]) => (
          <Button key={by} text={`+${name}`} label={`Advance by ${name}`} onClick={() => advance({ by })} />
        ))}
        <Button text="Until idle" onClick={() => advance({ until: 'idle' })} />
      </div>
    </section>
  )
}
