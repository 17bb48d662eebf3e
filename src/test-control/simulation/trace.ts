import type { Sandbox } from '../../sandboxes/sandbox.js'

/** What a request caused, with the trace of that request. */
export type Traced<T> = T & { readonly trace?: string }

/** Adds the trace of the request that caused something. Only the journal knows it, as long as it has the request. */
export function withTrace<T extends { readonly request_id: string }>({ journal }: Sandbox, item: T): Traced<T> {
  const trace = journal.traceOf(item.request_id)
  return trace === undefined ? item : { ...item, trace }
}
