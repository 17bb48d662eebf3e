import { useState } from 'preact/hooks'
import type { ClockMode } from '../../api/types'
import { fromInput, toInput, zoneAt } from '../../model/time'
import { useApp } from '../../parts/app-context'
import { Card, Form } from '../../parts/blocks'
import { Field, type FieldProps } from '../../parts/fields'
import { useFieldErrors, useUndoable } from '../../parts/actions'

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
  const [newRate, setRate] = useState<string>()
  const [newTime, setTime] = useState<string>()
  const [by, setBy] = useState('')
  if (model.clock === undefined) return null
  const { mode: present, rate, now } = model.clock
  const set = (setting: object) => noting(() => model.client.control('PUT', '/clock', setting))
  const time = newTime ?? toInput(now)
  const move = async () => {
    if (await undoable(set({ now: fromInput(time) }))) setTime(undefined)
  }
  const advance = noting(() => model.client.control('POST', '/clock/advance', { by: by.trim() }))
  return (
    <Card title="Clock settings">
      <fieldset>
        <legend>Mode</legend>
        {MODES.map(([mode, meaning]) => (
          <label key={mode} class="check">
            <input
              type="radio"
              name="mode"
              value={mode}
              checked={present === mode}
              onChange={() => void attempt(set({ mode }))}
            />{' '}
            <span>
              <b>{mode}</b> {meaning}
            </span>
          </label>
        ))}
      </fieldset>
      <Setting
        verb="Set rate"
        onSubmit={() => attempt(set({ rate: Number(newRate ?? rate) }))}
        label="Rate"
        type="number"
        min={0.001}
        max={1_000_000}
        step="any"
        value={newRate ?? `${rate}`}
        onChange={setRate}
        error={errors['rate']}
      />
      <Setting
        verb="Set time"
        onSubmit={move}
        label={`Time (${zoneAt(now)})`}
        type="datetime-local"
        step={1}
        max="9999-12-31T23:59:59"
        value={time}
        onChange={setTime}
        error={errors['now']}
      />
      <Setting
        verb="Advance"
        onSubmit={() => undoable(advance)}
        label="Advance"
        placeholder="90s, 1h30m, 7d or PT1H30M"
        value={by}
        onChange={setBy}
        error={errors['by']}
      />
    </Card>
  )
}

/** A form with one field. */
function Setting({ verb, onSubmit, ...field }: FieldProps & { verb: string; onSubmit: () => unknown }) {
  return (
    <Form class="inline" onSubmit={onSubmit}>
      <Field {...field} required />
      <button type="submit">{verb}</button>
    </Form>
  )
}
