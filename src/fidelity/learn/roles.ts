import { ERRORS } from '../../interface/errors.js'
import { ORG_ROLE_NAMES } from '../../profile/org-roles.js'
import { type Draft, times } from './draft.js'
import { differencesIn, type Evidence, isOk } from './evidence.js'

/** A role that callers who may call everything have. */
const MIGHTY = 'org-admin'

/** Operations that an API key may not call. */
export function learnRoles({ calls, ...evidence }: Evidence, draft: Draft): void {
  const forbidden = differencesIn({ calls, ...evidence }, 'status').filter(
    ({ key: { operation, condition }, examples }) =>
      operation !== undefined &&
      // Without a credential, it is a gateway that answers.
      condition !== 'unauthorized' &&
      // Where the mock refuses, too, the service has another reason, or another status for it.
      examples.every(({ ours, theirs }) => Number(ours) < 400 && theirs === ERRORS.forbidden.status)
  )
  for (const { key, differences } of forbidden) {
    const operation = key.operation!
    const own = calls.filter(({ call }) => call.operation === operation)
    const allowed = own.filter(({ exchange }) => isOk(exchange))
    const isByKey = ({ exchange }: (typeof own)[number]) => !('authorization' in exchange.requestHeaders)
    if (allowed.some(isByKey)) {
      draft.doubt(['roles'], `${operation} was forbidden sometimes only, which no role explains.`)
      continue
    }
    draft.set(
      ['roles', 'api_key'],
      ORG_ROLE_NAMES.filter((name) => name !== MIGHTY),
      'Which role is missing is a guess: exchanges only show which operations are forbidden.'
    )
    draft.set(
      ['roles', 'allow', operation],
      [MIGHTY],
      `Forbidden ${times(differences, 'time')}, ` +
        (allowed.length === 0 ? 'and never allowed.' : `and allowed ${times(allowed.length, 'time')} with a session.`)
    )
  }
}
