import type { Fault, FaultRule } from '../api/types.js'

/** A rule without where it applies. */
type Character = Omit<FaultRule, 'operation' | 'workspace_id' | 'workgroup_id'>

export const NEW_FAULT: Character = { effect: { status: 500 }, times: 1 }

/** Faults that every client should survive. */
export const PRESETS: readonly { readonly name: string; readonly about: string; readonly rule: Character }[] = [
  {
    name: 'Lost reply',
    about: 'The operation is carried out, but the client gets no reply.',
    rule: { effect: { reply: 'drop' }, phase: 'after-commit', times: 1 }
  },
  {
    name: 'Rate limit',
    about: 'Three times in a row, the client is asked to wait for 5 seconds.',
    rule: { effect: { status: 429, reason: 'Too many requests.', retry_after: 5 }, times: 3 }
  },
  {
    name: 'Slow',
    about: 'Every reply takes 1 to 3 seconds.',
    rule: { effect: { delay: { min: '1s', max: '3s' } } }
  }
]

/** What happens instead of the usual reply. */
const REPLIES: Readonly<Record<NonNullable<FaultRule['effect']['reply']>, string>> = {
  drop: 'no reply',
  empty: 'empty reply',
  cut: 'half a reply',
  silent: 'no reply until the client gives up'
}

/** The effect of a fault in words. */
export function effectOf({ effect, phase, body, after, probability }: Fault): string {
  const { status, delay, reply, stale, retry_after: wait } = effect
  return [
    status === undefined ? '' : `error ${status}`,
    wait === undefined ? '' : `Retry-After ${wait}`,
    delay === undefined ? '' : `delay ${typeof delay === 'string' ? delay : `${delay.min} to ${delay.max}`}`,
    reply === undefined ? '' : REPLIES[reply],
    stale === undefined ? '' : `stale by ${stale.by ?? `${stale.writes} writes`}`,
    phase === 'after-commit' ? 'after the work is done' : '',
    body === undefined ? '' : `if the body has ${JSON.stringify(body)}`,
    after === undefined || after === 0 ? '' : `after ${after}`,
    probability === undefined || probability === 1 ? '' : `in ${probability * 100} %`
  ]
    .filter((part) => part !== '')
    .join(', ')
}
