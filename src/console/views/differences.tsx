import { useMemo } from 'preact/hooks'
import type { PreparedState } from '../../documents/schemas'
import type { TimelineItem } from '../api/types'
import { atStep, linkTo } from '../model/route'
import { differencesBetween, type ThingDifference } from '../model/state-differences'
import { dateTime } from '../model/time'
import { useApp } from '../parts/app-context'
import { Button, Items, LinkButton } from '../parts/blocks'
import { Resource } from '../parts/resource'
import { StateChange, Step } from '../parts/step'
import { FieldValue } from './changes'

/** Parts of the sandbox that change all the time, and say little. */
const NOISE: ReadonlySet<string> = new Set(['random'])

/** Compares the moment that is shown with another one: the one before, or one that was chosen. */
export function DifferencesView({ from }: { from: number | undefined }) {
  const past = useApp().past!
  const { recorded, shown, stop } = past
  const other = recorded.stops[from === undefined ? Math.max(0, stop - 1) : recorded.stopOf(from)]!
  const found = useMemo(
    () =>
      differencesBetween(recorded.stateAt(other.place), past.state).filter(
        ({ kind, id }) => kind !== 'sandbox' || !NOISE.has(id)
      ),
    [recorded, other, shown]
  )
  const choose = (step: number | undefined) => {
    location.hash = atStep(step === undefined ? '#/differences' : `#/differences?from=${step}`, shown.step)
  }
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
            onChange={({ currentTarget }) => choose(currentTarget.valueAsNumber)}
          />
        </label>
        <span>
          <Step step={other} />
        </span>
        <span class="quiet">to step {shown.step}, which is shown.</span>
        <Button
          text={from === undefined ? 'Compare others with this step' : 'Compare with the step before'}
          onClick={() => choose(from === undefined ? shown.step : undefined)}
        />
      </div>
      {found.length === 0 ? (
        <p class="quiet empty">Nothing differs.</p>
      ) : (
        found.map((thing) => <Thing key={`${thing.kind} ${thing.id}`} thing={thing} />)
      )}
    </div>
  )
}

const WORDS = { added: 'insert', removed: 'delete', changed: 'update' } as const

function Thing({ thing: { kind, id, name, change, values } }: { thing: ThingDifference }) {
  const isResource = kind !== 'sandbox'
  return (
    <section class="card difference" aria-label={`${kind} ${name}`}>
      <h2>
        <span class={`tag change-${WORDS[change]}`}>{change}</span> {isResource ? kind : 'Sandbox:'}{' '}
        {isResource ? <Resource id={id} /> : name}
        {isResource ? <LinkButton text="What led here" href={linkTo('causes', id)} /> : null}
      </h2>
      <Items items={values} class="updates">
        {({ path, before, after }) => (
          <>
            {path === '' ? null : <code>{path}</code>}{' '}
            {before === undefined ? null : (
              <del class="code">
                <Value of={id} path={path} value={before} />
              </del>
            )}{' '}
            {after === undefined ? null : (
              <ins class="code">
                <Value of={id} path={path} value={after} />
              </ins>
            )}
          </>
        )}
      </Items>
    </section>
  )
}

type EventState = NonNullable<PreparedState['events']>[number]

function Value({ of, path, value }: { of: string; path: string; value: unknown }) {
  const { model } = useApp()
  if (path === '' && of === 'timeline') return <StateChange item={value as TimelineItem} />
  if (path === '' && of === 'events') {
    const { event, workspace_id: id, due, payload } = value as EventState
    return (
      <>
        {event} of {model.nameOf(id) ?? id}, {due === null ? 'held' : `due ${dateTime(due)}`}
        {Object.keys(payload ?? {}).length === 0 ? null : ` ${JSON.stringify(payload)}`}
      </>
    )
  }
  return <FieldValue field={path.split('.').at(-1)!} value={value} />
}
