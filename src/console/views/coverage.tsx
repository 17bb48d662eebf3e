import { useState } from 'preact/hooks'
import type { Coverage, Dimension } from '../api/types'
import { useApp } from '../parts/app-context'
import { Button, Card, Items, Pending } from '../parts/blocks'
import { useReading } from '../parts/use'
import { StateGraph } from './state-graph'

const DIMENSIONS: readonly (readonly [Dimension, string])[] = [
  ['operations', 'Operations'],
  ['statuses', 'Statuses'],
  ['transitions', 'State changes'],
  ['guards', 'Refusals by state'],
  ['errors', 'Errors'],
  ['faults', 'Faults']
]

/** Shows what this run of the server has exercised, and what it has not. */
export function CoverageView() {
  const { model, attempt } = useApp()
  const [dimension, setDimension] = useState<Dimension>('operations')
  const { value: coverage, error, again } = useReading<Coverage>(model, '/coverage')
  if (coverage === undefined) return <Pending error={error} />
  const clear = async () => {
    await attempt(() => model.client.control('DELETE', '/coverage'))
    again()
  }
  return (
    <div class="coverage">
      <Card title="Coverage">
        <div class="tiles" role="group" aria-label="What to list">
          {DIMENSIONS.map(([name, title]) => {
            const { exercised, total } = coverage.summary[name]
            return (
              <button
                key={name}
                type="button"
                class="tile"
                aria-pressed={name === dimension}
                onClick={() => setDimension(name)}
              >
                <span>{title}</span>{' '}
                <b class="numbers">
                  {exercised} / {total}
                </b>
                <progress max={total} value={exercised} aria-label={`${title}: ${exercised} of ${total}`} />
              </button>
            )
          })}
        </div>
      </Card>
      <Card title="States of a workspace">
        <StateGraph edges={coverage.transitions} />
      </Card>
      <section class="card" aria-label="List">
        <div class="bar">
          <Button text="Reset coverage" onClick={clear} />
        </div>
        <Items items={coverage[dimension]} empty="Nothing." class="items">
          {({ name, count }) => (
            <p class={count > 0 ? 'exercised' : 'quiet'}>
              <code>{name}</code> <span class="numbers">{count === 0 ? 'not yet' : count}</span>
            </p>
          )}
        </Items>
      </section>
    </div>
  )
}
