import type { Fault, FaultRule } from '../api/types.js'

type Effect = FaultRule['effect']
type Reply = NonNullable<Effect['reply']>

/** What the form of a fault holds: texts, which are empty where nothing was entered. */
export interface FaultDraft {
  readonly operation: string
  readonly workspace: string
  readonly workgroup: string
  readonly after: string
  readonly times: string
  readonly probability: string
  /** Whether the operation is carried out, and only the reply changes. */
  readonly isLate: boolean
  readonly effect: 'error' | 'delay' | Reply
  readonly status: string
  readonly reason: string
  readonly retryAfter: string
  readonly delay: string
  /** If it is not empty, the delay is random, up to this. */
  readonly longest: string
}

export const EFFECTS: Readonly<Record<FaultDraft['effect'], string>> = {
  error: 'Error',
  drop: 'No reply',
  empty: 'Empty reply',
  cut: 'Half a reply',
  delay: 'Only a delay'
}

/** A draft of everything but where the fault applies. */
type Character = Omit<FaultDraft, 'operation' | 'workspace' | 'workgroup'>

const PLAIN: Character = {
  after: '',
  times: '1',
  probability: '',
  isLate: false,
  effect: 'error',
  status: '500',
  reason: '',
  retryAfter: '',
  delay: '',
  longest: ''
}

export const NEW_FAULT: FaultDraft = { operation: '', workspace: '', workgroup: '', ...PLAIN }

/** Faults that every client should survive. They fill the form, but leave alone where the fault applies. */
export const PRESETS: readonly { readonly name: string; readonly about: string; readonly fields: Character }[] = [
  {
    name: 'Lost reply',
    about: 'The operation is carried out, but the client gets no reply.',
    fields: { ...PLAIN, effect: 'drop', isLate: true }
  },
  {
    name: 'Rate limit',
    about: 'Three times in a row, the client is asked to wait for 5 seconds.',
    fields: { ...PLAIN, status: '429', reason: 'Too many requests.', retryAfter: '5', times: '3' }
  },
  {
    name: 'Slow',
    about: 'Every reply takes 1 to 3 seconds.',
    fields: { ...PLAIN, effect: 'delay', delay: '1s', longest: '3s', times: '' }
  }
]

/** The rule that a draft describes. */
export function ruleOf(draft: FaultDraft): FaultRule {
  const { operation, isLate } = draft
  return {
    effect: { ...outcomeOf(draft), ...delayOf(draft) },
    // The form offers only names of operations.
    ...(operation === '' ? {} : { operation: operation as NonNullable<FaultRule['operation']> }),
    ...(draft.workspace.trim() === '' ? {} : { workspace_id: draft.workspace.trim() }),
    ...(draft.workgroup.trim() === '' ? {} : { workgroup_id: draft.workgroup.trim() }),
    ...(draft.after === '' ? {} : { after: Number(draft.after) }),
    ...(draft.times === '' ? {} : { times: Number(draft.times) }),
    ...(draft.probability === '' ? {} : { probability: Number(draft.probability) }),
    ...(isLate ? { phase: 'after-commit' } : {})
  }
}

function outcomeOf({ effect, status, reason, retryAfter }: FaultDraft): Effect {
  if (effect === 'delay') return {}
  if (effect !== 'error') return { reply: effect }
  return {
    status: Number(status),
    ...(reason === '' ? {} : { reason }),
    ...(retryAfter === '' ? {} : { retry_after: Number(retryAfter) })
  }
}

function delayOf({ delay, longest }: FaultDraft): Effect {
  const [min, max] = [delay.trim(), longest.trim()]
  if (max !== '') return { delay: { min: min === '' ? '0s' : min, max } }
  return min === '' ? {} : { delay: min }
}

/** The effect of a fault in words. */
export function effectOf({ effect, phase, body, after, probability }: Fault): string {
  const { status, delay, reply, stale, retry_after: wait } = effect
  return [
    status === undefined ? '' : `error ${status}`,
    wait === undefined ? '' : `Retry-After ${wait}`,
    delay === undefined ? '' : `delay ${typeof delay === 'string' ? delay : `${delay.min} to ${delay.max}`}`,
    reply === undefined ? '' : EFFECTS[reply].toLowerCase(),
    stale === undefined ? '' : `stale by ${stale.by ?? `${stale.writes} writes`}`,
    phase === 'after-commit' ? 'after the work is done' : '',
    body === undefined ? '' : `if the body has ${JSON.stringify(body)}`,
    after === undefined || after === 0 ? '' : `after ${after}`,
    probability === undefined || probability === 1 ? '' : `in ${probability * 100} %`
  ]
    .filter((part) => part !== '')
    .join(', ')
}
