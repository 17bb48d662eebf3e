import type { TimelineItem } from '../api/types'
import { shortPath, withShortIds } from '../model/paths'
import type { PlacedStep } from '../model/recorded'
import { atStep } from '../model/route'
import { useApp } from './app-context'
import { Resource } from './resource'
import { State, Status } from './state'

const WORDS: Readonly<Partial<Record<PlacedStep['kind'], string>>> = {
  beginning: 'The beginning',
  import: 'A document was imported.',
  seed: 'A document was imported and became the baseline.',
  reset: 'The sandbox was reset.',
  restore: 'A snapshot was restored.',
  gap: 'Steps are missing here: they were not recorded.'
}

/** Describes a step. */
export function Step({ step }: { step: PlacedStep }) {
  const { model } = useApp()
  const { kind, request, event, changes = [], omitted = 0 } = step
  if (request !== undefined) {
    const { control, method, path, status, fault, error } = request
    return (
      <span class="step">
        {control === true ? <span class="tag">control</span> : null} <b>{method}</b>{' '}
        <code title={path}>{withShortIds(shortPath(path, model.controller))}</code> <Status status={status} />{' '}
        {fault === null ? null : <span class="tag fault">fault</span>}{' '}
        {error === null ? null : <span class="problem">{error}</span>}
      </span>
    )
  }
  if (event !== undefined)
    return (
      <span class="step">
        <span class="tag event">event</span> <code>{event.kind}</code> of <Resource id={event.resource} />
      </span>
    )
  if (kind === 'change') {
    const tables = new Set(changes.map(({ table }) => table))
    tables.delete('sandboxes')
    if (tables.size + omitted === 0) return <span>The clock moved.</span>
    return (
      <span class="step">
        <span class="tag">change</span> of <code>{[...tables].join(', ')}</code>
      </span>
    )
  }
  return <span>{WORDS[kind]}</span>
}

/** A change of a state. @param of id of a resource that the context names */
export function StateChange({ item, of }: { item: TimelineItem; of?: string | undefined }) {
  const { resource_id: id, from, to, reason } = item
  return (
    <span>
      {id === of ? null : <Resource id={id} />} {from !== null && <State name={from} />} → <State name={to} />{' '}
      {reason === null ? null : <span class="problem">{reason}</span>}
    </span>
  )
}

/** Links to a step in the present view. */
export function StepLink({ step }: { step: number }) {
  return (
    <a class="numbers" href={atStep(location.hash, step)}>
      Step {step}
    </a>
  )
}
