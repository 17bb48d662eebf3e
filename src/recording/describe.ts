import { toTimestamp } from '../lib/time.js'
import type { RecordedStep } from './format.js'

/** A step in one line. */
export function describeStep(step: RecordedStep): string {
  if (step.kind === 'gap') return `${String(step.step).padStart(6)}  something was not recorded here`
  const { step: number, at, id } = step
  return `${String(number).padStart(6)}  ${toTimestamp(at)}  ${id}  ${whatOf(step)}`
}

function whatOf(step: Exclude<RecordedStep, { readonly kind: 'gap' }>): string {
  switch (step.kind) {
    case 'request':
      return `${step.method} ${step.path} ${step.status ?? 'no reply'}`
    case 'event':
      return `event ${step.event.kind} of ${step.event.resource}`
    case 'change':
      return `row changes: ${step.changes.length}`
    default:
      return step.kind
  }
}
