import { useState } from 'preact/hooks'
import type { ClockMode } from '../../api/types'
import { useApp } from '../../parts/app-context'

const MODES: readonly (readonly [ClockMode, string])[] = [
  ['real', "goes with the machine's clock, times the rate"],
  ['frozen', 'stands still until it is moved'],
  ['poll', 'is moved by clients that poll']
]

export function ClockSettings() {
  const { model, attempt } = useApp()
  const [now, setNow] = useState('')
  const [by, setBy] = useState('')
  const { clock } = model
  if (clock === undefined) return null
  const set = (setting: object) => attempt(async () => (await model.client.control('PUT', '/clock', setting)).message)
  const advance = (body: object) =>
    attempt(async () => (await model.client.control('POST', '/clock/advance', body)).message)
  return (
    <section class="card" aria-labelledby="clock-title">
      <h2 id="clock-title">Settings of the clock</h2>
      <fieldset>
        <legend>How it runs</legend>
        {MODES.map(([mode, meaning]) => (
          <label key={mode} class="check">
            <input
              type="radio"
              name="mode"
              value={mode}
              checked={clock.mode === mode}
              onChange={() => void set({ mode })}
            />{' '}
            <span>
              <b>{mode}</b> {meaning}
            </span>
          </label>
        ))}
      </fieldset>
      <form
        class="inline"
        onSubmit={(event) => {
          event.preventDefault()
          void set({ rate: Number(new FormData(event.currentTarget).get('rate')) })
        }}
      >
        <label>
          Rate{' '}
          <input
            name="rate"
            type="number"
            min={0.001}
            max={1_000_000}
            step="any"
            required
            defaultValue={`${clock.rate}`}
          />
        </label>
        <button type="submit">Set rate</button>
      </form>
      <form
        class="inline"
        onSubmit={(event) => {
          event.preventDefault()
          void set({ now: now.trim() })
        }}
      >
        <label>
          Show{' '}
          <input
            value={now}
            placeholder={clock.now}
            required
            onInput={({ currentTarget }) => {
              setNow(currentTarget.value)
            }}
          />
        </label>
        <button type="submit">Set time</button>
      </form>
      <form
        class="inline"
        onSubmit={(event) => {
          event.preventDefault()
          void advance(by.trim().startsWith('P') ? { by: by.trim() } : { to: by.trim() })
        }}
      >
        <label>
          Advance{' '}
          <input
            value={by}
            placeholder="PT1H30M, P1D, or a timestamp"
            required
            onInput={({ currentTarget }) => {
              setBy(currentTarget.value)
            }}
          />
        </label>
        <button type="submit">Advance</button>
      </form>
    </section>
  )
}
