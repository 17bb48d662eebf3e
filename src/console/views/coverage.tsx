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

/** Shows what clients have exercised since the server started. */
export function CoverageView() {
  const { model, attempt } = useApp()
  const [dimension, setDimension] = useState<Dimension>('operations')
  const { value: coverage, error } = useReading<Coverage>('/coverage')
  if (coverage === undefined) return <Pending error={error} />
  const clear = () => attempt(() => model.client.control('DELETE', '/coverage'))
  return (
    <div class="columns">
      <Card title="Coverage">
        <div class="tiles" role="group" aria-label="What to list">
          {DIMENSIONS.map(([name, title]) => {
            const { exercised, total } = coverage.summary[name]
            const isChosen = name === dimension
            return (
              <button key={name} type="button" class="tile" aria-pressed={isChosen} onClick={() => setDimension(name)}>
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
      <Card title={new Map(DIMENSIONS).get(dimension)!}>
        <Items items={coverage[dimension]} empty="None." class="items">
          {({ name, count }) => (
            <p class={count > 0 ? 'exercised' : 'quiet'}>
              <code>{name}</code> <span class="numbers">{count === 0 ? 'not yet' : count}</span>
            </p>
          )}
        </Items>
        <Button text="Reset coverage" onClick={clear} />
      </Card>
    </div>
  )
}
