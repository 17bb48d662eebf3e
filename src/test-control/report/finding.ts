import type { Report } from './schemas.js'

/** Client behaviour that would cause trouble with the real service. */
export type Finding = Report['findings'][number]

/** @param requests those involved, in order */
export function findingOf(
  rule: Finding['rule'],
  requests: readonly { readonly id: string }[],
  message: string
): Finding {
  return { rule, message, requests: requests.map(({ id }) => id) }
}
