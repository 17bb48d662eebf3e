/** The kinds of findings, the worst first, with their meaning. */
export const FINDING_KINDS = {
  duplicate: 'Something exists twice that should exist once.',
  forgotten: 'The client failed, and when run again, it created another copy.',
  'false-success': 'The client ended with success, but its work is not done.',
  'left-behind': 'The client failed, and left something that it should have removed.',
  'not-recovered': 'The client was killed, and running it again does not lead to the usual end.',
  hang: 'The client did not end.',
  inconsistent: 'The client survives a 503, but not a lost reply to the same call.',
  impolite: 'The client keeps sending requests to a service that asks it to wait or to stop.'
} as const

/** A kind of finding. */
export type FindingKind = keyof typeof FINDING_KINDS
