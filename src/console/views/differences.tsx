import { useMemo } from 'preact/hooks'
import { differencesOf } from '../../recording/difference.js'
import { atStep } from '../model/route'
import { useApp } from '../parts/app-context'
import { Items } from '../parts/blocks'
import { Step } from '../parts/step'
import { FieldValue } from './changes'

/** Compares the present step with the previous one, or with one that the reader enters. */
export function DifferencesView({ from }: { from: number | undefined }) {
  const past = useApp().past!
  const { recorded, shown, stop } = past
  const other = recorded.stops[from === undefined ? Math.max(0, stop - 1) : recorded.stopOf(from)]!
  const found = useMemo(
    // The random generator changes with most steps.
    () => differencesOf(recorded.stateAt(other.place), past.state).filter(({ path }) => !path.startsWith('random')),
    [recorded, other, shown]
  )
  return (
    <div class="differences">
      <div class="bar">
        <label class="row-label">
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
        <span class="quiet">to the present step {shown.step}</span>
      </div>
      <Items items={found} empty="No differences." label="Differences" class="card">
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
