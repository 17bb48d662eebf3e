import { useMemo } from 'preact/hooks'
import type { PreparedState } from '../../documents/schemas'
import type { TimelineItem } from '../api/types'
import { atStep } from '../model/route'
import { differencesBetween, type ThingDifference } from '../model/state-differences'
import { dateTime, isTime } from '../model/time'
import { useApp } from '../parts/app-context'
import { Resource } from '../parts/resource'
import { causesLink, StateChanges, Step } from '../parts/step'
import { Time } from '../parts/time'

/** Parts of the sandbox that change all the time, and say little. */
const NOISE: ReadonlySet<string> = new Set(['random'])

/** Compares the moment that is shown with another one: the one before, or one that was chosen. */
export function DifferencesView({ from }: { from: number | undefined }) {
  const past = useApp().past!
  const { recorded, place, placeBefore } = past
  const other = from === undefined ? placeBefore : recorded.stops[recorded.stopAt(recorded.placeOf(from))]!
  const found = useMemo(
    () =>
      differencesBetween(recorded.stateAt(other), recorded.stateAt(place)).filter(
        ({ kind, id }) => kind !== 'sandbox' || !NOISE.has(id)
      ),
    [recorded, other, place]
  )
  const choose = (step: number | undefined) => {
    location.hash = atStep(step === undefined ? '#/differences' : `#/differences?from=${step}`, past.step)
  }
  return (
    <div class="differences">
      <div class="bar">
        <label class="compared">
          From step
          <input
            type="number"
            min={recorded.beginning.after}
            max={recorded.numberAt(recorded.last)}
            value={recorded.numberAt(other)}
            onChange={({ currentTarget }) => choose(currentTarget.valueAsNumber)}
          />
        </label>
        <span>
          <Step step={recorded.stepAt(other)} />
        </span>
        <span class="quiet">to step {past.step}, which is shown.</span>
        {from === undefined ? (
          <button type="button" onClick={() => choose(past.step)}>
            Compare others with this step
          </button>
        ) : (
          <button type="button" onClick={() => choose(undefined)}>
            Compare with the step before
          </button>
        )}
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
        <span class={`change change-${WORDS[change]}`}>{change}</span> {isResource ? kind : 'Sandbox:'}{' '}
        {isResource ? <Resource id={id} /> : name}
        {isResource ? (
          <a class="button" href={causesLink(id)}>
            What led here
          </a>
        ) : null}
      </h2>
      <ul class="plain updates">
        {values.map(({ path, before, after }, index) => (
          <li key={index}>
            {path === '' ? null : <code>{path}</code>}{' '}
            {before === undefined ? null : (
              <del>
                <Value of={id} path={path} value={before} />
              </del>
            )}{' '}
            {after === undefined ? null : (
              <ins>
                <Value of={id} path={path} value={after} />
              </ins>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

type EventState = NonNullable<PreparedState['events']>[number]

function Value({ of, path, value }: { of: string; path: string; value: unknown }) {
  const { model } = useApp()
  if (path === '' && of === 'timeline') return <StateChanges items={[value as TimelineItem]} />
  if (path === '' && of === 'events') {
    const { event, workspace_id: id, due, payload } = value as EventState
    return (
      <>
        {event} of {model.nameOf(id) ?? id}, {due === null ? 'held' : `due ${dateTime(due)}`}
        {Object.keys(payload ?? {}).length === 0 ? null : ` ${JSON.stringify(payload)}`}
      </>
    )
  }
  const field = path.split('.').at(-1)!
  if (isTime(field, value)) return <Time at={value} />
  return <>{typeof value === 'string' && value !== '' ? value : JSON.stringify(value)}</>
}
