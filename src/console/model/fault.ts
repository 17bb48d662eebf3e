import type { FaultRule } from '../api/types.js'

/** A fault rule for any place. */
type Character = Omit<FaultRule, 'operation' | 'workspace_id' | 'workgroup_id'>

export const NEW_FAULT: Character = { effect: { status: 500 }, times: 1 }

/** Faults that every client should survive. */
export const PRESETS: readonly { readonly name: string; readonly about: string; readonly rule: Character }[] = [
  {
    name: 'Lost reply',
    about: 'The operation succeeds, but the client gets no reply.',
    rule: { effect: { reply: 'drop' }, phase: 'after-commit', times: 1 }
  },
  {
    name: 'Rate limit',
    about: 'Three requests in a row get a 429, which asks the client to wait for 5 seconds.',
    rule: { effect: { status: 429, reason: 'Too many requests.', retry_after: 5 }, times: 3 }
  },
  {
    name: 'Slow',
    about: 'Every reply takes 1 to 3 seconds.',
    rule: { effect: { delay: { min: '1s', max: '3s' } } }
  }
]
