import type { ComponentChildren } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { PastModel } from '../model/past'
import { linkTo } from '../model/route'
import { findStop, stepOutcomes } from '../model/stops'
import { LinkButton } from './blocks'
import { StateChange, Step } from './step'
import { Now } from './time'
import { useModel } from './use'
import { useKeyDown } from './use-keys'

/** State changes that a line has room for. */
const SHOWN = 3

/** Moves through a recording, by a slider, buttons and keys, and says what the step is that is shown. */
export function Stepper({ model, children }: { model: PastModel; children?: ComponentChildren }) {
  useModel(model)
  const { recorded, stop, shown: step, justChanged: changed } = model
  const { stops } = recorded
  const last = stops.length - 1
  const move = (by: number, isRequest: boolean) => model.goToStop(next(model, by, isRequest))
  useKeyDown(({ key, shiftKey, target }) => {
    if (key === 'ArrowLeft') move(-1, shiftKey)
    else if (key === 'ArrowRight') move(1, shiftKey)
    else if ((key !== 'Home' && key !== 'End') || (target as Element).closest(SCROLLED) !== null) return false
    else model.goToStop(key === 'Home' ? 0 : Infinity)
    return true
  })
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
            aria-valuetext={`Step ${step.step} of ${recorded.last.step}`}
            onInput={({ currentTarget }) => model.goToStop(Number(currentTarget.value))}
          />
        </div>
        <span class="numbers position">
          Step <b>{step.step}</b> of {recorded.last.step}
        </span>
        <FindStep model={model} />
        {children}
      </div>
      <div class="stepper-line what" role="status">
        <Now at={model.now()} />
        <Step step={step} />
        {changed.slice(0, SHOWN).map((item, index) => (
          <StateChange key={index} item={item} of={step.event?.resource} />
        ))}
        {changed.length > SHOWN ? <span class="quiet">and {changed.length - SHOWN} more</span> : null}
        {step.id === undefined ? null : (
          <LinkButton text={step.kind === 'event' ? 'Its request' : 'Record'} href={linkTo('requests', step.id)} />
        )}
        {stop === 0 ? null : <LinkButton text="Differences" href={linkTo('differences')} />}
      </div>
    </section>
  )
}

/** The stop that is some stops, or some requests, away. */
function next({ recorded, stop }: PastModel, by: number, isRequest: boolean): number {
  let index = stop + by
  while (isRequest && index > 0 && index < recorded.stops.length - 1) {
    if (recorded.stops[index]!.kind === 'request') break
    index += by
  }
  return index
}

/** Elements that scroll with some keys. */
const SCROLLED = '.virtual, .panel, pre'

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

/** Goes to the next step that has some words; with Shift, to the one before. */
function FindStep({ model }: { model: PastModel }) {
  const [text, setText] = useState('')
  const [isMissing, setMissing] = useState(false)
  const find = (by: 1 | -1) => {
    const { recorded, stop } = model
    const found = findStop(recorded, text.trim(), { stop, nameOf: (id) => model.nameOf(id), by })
    setMissing(found === undefined)
    if (found !== undefined) model.goToStop(found)
  }
  return (
    <input
      type="search"
      class="find"
      placeholder="Find…"
      aria-label="Find a step"
      title={isMissing ? 'No step has these words.' : 'Enter: the next one; with Shift: the one before'}
      aria-invalid={isMissing}
      value={text}
      onInput={({ currentTarget }) => {
        setText(currentTarget.value)
        setMissing(false)
      }}
      onKeyDown={({ key, shiftKey }) => {
        if (key === 'Enter' && text.trim() !== '') find(shiftKey ? -1 : 1)
      }}
    />
  )
}
