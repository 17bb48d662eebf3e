import { useMemo } from 'preact/hooks'
import { differencesOf } from '../../recording/difference.js'
import { atStep } from '../model/route'
import { useApp } from '../parts/app-context'
import { Items } from '../parts/blocks'
import { Step } from '../parts/step'
import { FieldValue } from './changes'

/** Compares the moment that is shown with another one: the one before, or one that was chosen. */
export function DifferencesView({ from }: { from: number | undefined }) {
  const past = useApp().past!
  const { recorded, shown, stop } = past
  const other = recorded.stops[from === undefined ? Math.max(0, stop - 1) : recorded.stopOf(from)]!
  const found = useMemo(
    // What random values are drawn from changes all the time, and says little.
    () => differencesOf(recorded.stateAt(other.place), past.state).filter(({ path }) => !path.startsWith('random')),
    [recorded, other, shown]
  )
  return (
    <div class="differences">
      <div class="bar">
        <label class="compared">
          From step
          <input
            type="number"
            min={recorded.beginning.after}
            max={recorded.last.step}
            value={other.step}
            onChange={({ currentTarget }) => {
              location.hash = atStep(`#/differences?from=${currentTarget.valueAsNumber}`, shown.step)
            }}
          />
        </label>
        <Step step={other} />
        <span class="quiet">to step {shown.step}, which is shown.</span>
      </div>
      <Items items={found} empty="Nothing differs." label="Differences" class="card">
        {({ path, before, after }) => {
          const field = path.replace(/^.*\./, '')
          return (
            <>
              <code>{path}</code>{' '}
              {before === undefined ? null : (
                <del class="code">
                  <FieldValue field={field} value={before} />
                </del>
              )}{' '}
              {after === undefined ? null : (
                <ins class="code">
                  <FieldValue field={field} value={after} />
                </ins>
              )}
            </>
          )
        }}
      </Items>
    </div>
  )
}
