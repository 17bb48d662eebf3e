import type { ComponentChildren } from 'preact'
import type { PastModel } from '../model/past'
import { linkTo } from '../model/route'
import { Button } from './blocks'
import { StateChange, Step } from './step'
import { Now } from './time'
import { useModel } from './use'
import { useKeyDown } from './use-keys'

const MAX_CHANGES = 3

/** Moves through a recording by slider, buttons and arrow keys, and describes the present step. */
export function Stepper({ model, children }: { model: PastModel; children?: ComponentChildren }) {
  useModel(model)
  const { recorded, stop, shown: step, justChanged: changed } = model
  const last = recorded.stops.length - 1
  useKeyDown(({ key, shiftKey }) => {
    if (key !== 'ArrowLeft' && key !== 'ArrowRight') return false
    model.goToStop(next(model, key === 'ArrowLeft' ? -1 : 1, shiftKey))
    return true
  })
  return (
    <section class="stepper" aria-label="Steps">
      <div class="stepper-line">
        <div class="segments" role="group" aria-label="Move by steps">
          <Button text="◂" label="Previous step" disabled={stop === 0} onClick={() => model.goToStop(stop - 1)} />
          <Button text="▸" label="Next step" disabled={stop === last} onClick={() => model.goToStop(stop + 1)} />
        </div>
        <div class="slider">
          <Marks model={model} />
          <input
            type="range"
            min={0}
            max={last}
            value={stop}
            aria-label="Step"
            aria-valuetext={`Step ${step.step} of ${recorded.last.step}`}
            onInput={({ currentTarget }) => model.goToStop(Number(currentTarget.value))}
          />
        </div>
        <span class="numbers position">
          Step <b>{step.step}</b> of {recorded.last.step}
        </span>
        {step.id === undefined ? null : (
          <a class="button" href={linkTo('requests', step.id)}>
            Record
          </a>
        )}
        {children}
      </div>
      <div class="stepper-line what" role="status">
        <Now at={model.now()} />
        <Step step={step} />
        {changed.slice(0, MAX_CHANGES).map((item, index) => (
          <StateChange key={index} item={item} of={step.event?.resource} />
        ))}
      </div>
    </section>
  )
}

/** The next stop in a direction, or the next one with a request. */
function next({ recorded, stop }: PastModel, by: number, isRequest: boolean): number {
  let index = stop + by
  while (isRequest && index > 0 && index < recorded.stops.length - 1) {
    if (recorded.stops[index]!.kind === 'request') break
    index += by
  }
  return index
}

/** Marks failures on the slider. */
function Marks({ model: { recorded } }: { model: PastModel }) {
  const last = recorded.stops.length - 1
  return (
    <svg class="marks" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
      {recorded.failedStops.map((stop) => (
        <rect key={stop} x={(stop / last) * 1000 - 1.5} y={0} width={3} height={10} />
      ))}
    </svg>
  )
}
