import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { ClockMode } from '../../api/types'
import { fromInput, toInput, zoneAt } from '../../model/time'
import { useApp } from '../../parts/app-context'
import { TextField } from '../../parts/fields'
import { useFieldErrors } from '../../parts/use-field-errors'
import { useUndoable } from '../../parts/use-undoable'

const MODES: readonly (readonly [ClockMode, string])[] = [
  ['real', "goes with the machine's clock, times the rate"],
  ['frozen', 'stands still until it is moved'],
  ['poll', 'is moved by clients that poll']
]

export function ClockSettings() {
  const { model, attempt } = useApp()
  const undoable = useUndoable()
  const [errors, noting] = useFieldErrors()
  // Undefined: as the clock shows.
  const [rate, setRate] = useState<string>()
  const [now, setNow] = useState<string>()
  const [by, setBy] = useState('')
  const { clock } = model
  if (clock === undefined) return null
  const set = (setting: object) => noting(async () => (await model.client.control('PUT', '/clock', setting)).message)
  const move = async (time: string) => {
    if (await undoable(set({ now: fromInput(time) }))) setNow(undefined)
  }
  const advance = () =>
    undoable(noting(async () => (await model.client.control('POST', '/clock/advance', { by: by.trim() })).message))
  return (
    <section class="card" aria-labelledby="clock-title">
      <h2 id="clock-title">Clock settings</h2>
      <fieldset>
        <legend>Mode</legend>
        {MODES.map(([mode, meaning]) => (
          <label key={mode} class="check">
            <input
              type="radio"
              name="mode"
              value={mode}
              checked={clock.mode === mode}
              onChange={() => void attempt(set({ mode }))}
            />{' '}
            <span>
              <b>{mode}</b> {meaning}
            </span>
          </label>
        ))}
      </fieldset>
      <Setting verb="Set rate" onSubmit={() => void attempt(set({ rate: Number(rate ?? clock.rate) }))}>
        <TextField
          label="Rate"
          type="number"
          min={0.001}
          max={1_000_000}
          step="any"
          required
          value={rate ?? `${clock.rate}`}
          onChange={setRate}
          error={errors['rate']}
        />
      </Setting>
      <Setting verb="Set time" onSubmit={() => void move(now ?? toInput(clock.now))}>
        <TextField
          label={`Time (${zoneAt(clock.now)})`}
          type="datetime-local"
          step={1}
          max="9999-12-31T23:59:59"
          required
          value={now ?? toInput(clock.now)}
          onChange={setNow}
          error={errors['now']}
        />
      </Setting>
      <Setting verb="Advance" onSubmit={() => void advance()}>
        <TextField
          label="Advance"
          placeholder="90s, 1h30m, 7d or PT1H30M"
          required
          value={by}
          onChange={setBy}
          error={errors['by']}
        />
      </Setting>
    </section>
  )
}

/** A form with one field. */
function Setting({ verb, onSubmit, children }: { verb: string; onSubmit: () => void; children: ComponentChildren }) {
  return (
    <form
      class="inline"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
      <button type="submit">{verb}</button>
    </form>
  )
}
