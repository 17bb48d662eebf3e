import { useMemo } from 'preact/hooks'
import { type Cause, causesOf } from '../model/causes'
import { useApp } from '../parts/app-context'
import { Resource } from '../parts/resource'
import { StateChange, Step, StepLink } from '../parts/step'
import { Time } from '../parts/time'
import { Changes } from './changes'

/** Lists what led to the present state of a resource, back to its origin. */
export function CausesView({ part }: { part: string | undefined }) {
  const past = useApp().past!
  const { recorded, shown, touched } = past
  const id = part ?? [...touched].find((one) => past.workspaces.has(one)) ?? [...touched][0]
  const causes = useMemo(() => (id === undefined ? [] : causesOf(recorded, shown.place, id)), [recorded, shown, id])
  if (id === undefined)
    return (
      <p class="quiet empty">This step changed no resource. Choose a workspace in the overview, or another step.</p>
    )
  return (
    <div class="causes">
      <div class="bar">
        <span>
          What led to the state of <Resource id={id} />
        </span>
      </div>
      {causes.length === 0 ? (
        <p class="quiet empty">Nothing in this recording, up to this step.</p>
      ) : (
        <ol class="plain" aria-label="What led here, last cause first">
          {causes.map((cause) => (
            <CauseItem key={cause.shown.place} cause={cause} of={id} />
          ))}
        </ol>
      )}
    </div>
  )
}

function CauseItem({ cause: { shown, at, changes, timeline, scheduledBy }, of }: { cause: Cause; of: string }) {
  const past = useApp().past!
  return (
    <li class={shown === past.shown ? 'card chosen' : 'card'}>
      <p class="line">
        <StepLink step={shown.step} /> {at !== undefined && <Time at={at} />} <Step step={shown} />{' '}
        {timeline.map((item, index) => (
          <StateChange key={index} item={item} of={of} />
        ))}
      </p>
      {scheduledBy === undefined ? null : (
        <p class="line because quiet">
          scheduled by <StepLink step={scheduledBy.step} /> <Step step={scheduledBy} />
        </p>
      )}
      {changes.length === 0 ? null : (
        <details>
          <summary>Changes: {changes.length}</summary>
          <Changes changes={changes} />
        </details>
      )}
    </li>
  )
}
