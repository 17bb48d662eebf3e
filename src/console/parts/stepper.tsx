import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useMemo } from 'preact/hooks'
import type { PastModel } from '../model/past'
import { linkTo } from '../model/route'
import { stepOutcomes } from '../model/step-outcomes'
import { FindStep } from './find-step'
import { StateChanges, Step } from './step'
import { Now } from './time'

/** State changes that a line has room for. */
const SHOWN = 3

/** Moves through a recording, by a slider, buttons and keys, and says what the step is that is shown. */
export function Stepper({ model, children }: { model: PastModel; children?: ComponentChildren }) {
  const { recorded, stop } = model
  const { stops } = recorded
  const last = stops.length - 1
  const step = recorded.stepAt(model.place)
  const changed = model.justChanged
  const move = (by: number, isRequest = false) => model.goToStop(next(model, by, isRequest))
  useKeys(model, move)
  return (
    <section class="stepper" aria-label="Steps">
      <div class="stepper-line">
        <div class="segments" role="group" aria-label="Move by steps">
          {(
            [
              ['First step (Home)', 'M3 3v10h2V3zm10 0L6 8l7 5z', 0, stop === 0],
              ['Previous step (←)', 'M12 3 4 8l8 5z', stop - 1, stop === 0],
              ['Next step (→)', 'm4 3 8 5-8 5z', stop + 1, stop === last],
              ['Last step (End)', 'M11 3v10h2V3zM3 3l7 5-7 5z', last, stop === last]
            ] as const
          ).map(([name, sign, index, isDisabled]) => (
            <button
              key={name}
              type="button"
              title={name}
              aria-label={name.replace(/ \(.*/, '')}
              disabled={isDisabled}
              onClick={() => model.goToStop(index)}
            >
              <svg class="sign" viewBox="0 0 16 16" aria-hidden="true">
                <path d={sign} />
              </svg>
            </button>
          ))}
        </div>
        <div class="slider">
          <Marks model={model} />
          <input
            type="range"
            min={0}
            max={last}
            value={stop}
            aria-label="Step"
            aria-valuetext={`Step ${model.step} of ${recorded.numberAt(recorded.last)}`}
            onInput={({ currentTarget }) => model.goToStop(Number(currentTarget.value))}
          />
        </div>
        <span class="numbers position">
          Step <b>{model.step}</b> of {recorded.numberAt(recorded.last)}
        </span>
        <FindStep model={model} />
        {children}
      </div>
      <div class="stepper-line what" role="status">
        <Now at={model.now()} />
        <Step step={step} />
        <StateChanges items={changed.slice(0, SHOWN)} of={step?.event?.resource} />
        {changed.length > SHOWN ? <span class="quiet">and {changed.length - SHOWN} more</span> : null}
        {step?.id === undefined ? null : (
          <a class="button" href={linkTo('requests', step.id)}>
            {step.kind === 'event' ? 'Its request' : 'Record'}
          </a>
        )}
        {stop === 0 ? null : (
          <a class="button" href={linkTo('differences')}>
            Differences
          </a>
        )}
      </div>
    </section>
  )
}

/** The stop that is some stops, or some requests, away. */
function next({ recorded, stop }: PastModel, by: number, isRequest: boolean): number {
  let index = stop + by
  while (isRequest && index > 0 && index < recorded.stops.length - 1) {
    if (recorded.stepAt(recorded.stops[index]!)?.kind === 'request') break
    index += by
  }
  return index
}

/** Elements that have other uses for these keys. */
const OTHERS = 'input:not([type=range]), select, textarea, dialog'
/** Elements that scroll with them. */
const SCROLLED = '.virtual, .panel, pre'

function useKeys(model: PastModel, move: (by: number, isRequest: boolean) => void): void {
  // Not after it is painted: keys work as soon as buttons do.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, shiftKey, ctrlKey, metaKey, altKey, defaultPrevented } = event
      const target = event.target as Element
      if (defaultPrevented || ctrlKey || metaKey || altKey || target.closest(OTHERS) !== null) return
      if (key === 'ArrowLeft') move(-1, shiftKey)
      else if (key === 'ArrowRight') move(1, shiftKey)
      else if ((key !== 'Home' && key !== 'End') || target.closest(SCROLLED) !== null) return
      else model.goToStop(key === 'Home' ? 0 : Infinity)
      event.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  })
}

/** Number of marks that the width of a slider has room for. */
const MARKS = 240

/** Marks what went wrong, so that it can be seen before it is reached. */
function Marks({ model: { recorded } }: { model: PastModel }) {
  const marks = useMemo(() => stepOutcomes(recorded, MARKS), [recorded])
  return (
    <svg class="marks" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
      {marks.map(({ from, to, outcome }) => (
        <rect
          key={from}
          class={`mark-${outcome}`}
          x={from * 1000}
          y={0}
          width={Math.max(3, (to - from) * 1000)}
          height={10}
        />
      ))}
    </svg>
  )
}
