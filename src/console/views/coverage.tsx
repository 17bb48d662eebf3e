import { useEffect, useState } from 'preact/hooks'
import type { CoverageItem, Dimension } from '../api/types'
import { useApp } from '../parts/app-context'
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
  const [isOpenOnly, setOpenOnly] = useState(false)
  useEffect(() => model.askForCoverage(), [model])
  const { coverage } = model
  if (coverage === undefined) return <p class="quiet empty">Reading the coverage…</p>
  const clear = () =>
    attempt(async () => {
      const { message } = await model.client.control('DELETE', '/coverage')
      model.askForCoverage()
      return message
    })
  const items = coverage[dimension].filter(({ count }) => !isOpenOnly || count === 0)
  return (
    <div class="coverage">
      <section class="card wide" aria-labelledby="items-title">
        <h2 id="items-title">Coverage</h2>
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
      </section>
      <section class="card wide" aria-labelledby="graph-title">
        <h2 id="graph-title">States of a workspace</h2>
        <StateGraph edges={coverage.transitions} />
      </section>
      <section class="card wide" aria-label="List">
        <div class="bar">
          <label class="check">
            <input
              type="checkbox"
              checked={isOpenOnly}
              onChange={({ currentTarget }) => setOpenOnly(currentTarget.checked)}
            />{' '}
            Uncovered only
          </label>
          <button type="button" onClick={() => void clear()}>
            Reset coverage
          </button>
        </div>
        <Items items={items} />
      </section>
    </div>
  )
}

function Items({ items }: { items: readonly CoverageItem[] }) {
  if (items.length === 0) return <p class="quiet">Nothing.</p>
  return (
    <ul class="plain items">
      {items.map(({ name, count }) => (
        <li key={name} class={count > 0 ? 'exercised' : 'open-item'}>
          <code>{name}</code> <span class="numbers">{count === 0 ? 'not yet' : count}</span>
        </li>
      ))}
    </ul>
  )
}
