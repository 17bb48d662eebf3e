import { refused, section } from '../interface/assumption.js'
import { QUOTA_CLAIMS } from '../profile/assumptions.js'

/** Headers that announce a rate limit. */
const RATE_LIMIT_HEADERS = [
  'retry-after',
  'ratelimit',
  'ratelimit-limit',
  'ratelimit-policy',
  'ratelimit-remaining',
  'ratelimit-reset',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset'
]

/** Sections "Limits", "Resources" and "Quotas". */
export const LIMIT_ASSUMPTIONS = [
  section('Limits', 'a [profile](profiles.md#limits-idempotency); otherwise the options named there.', {
    'P-093': {
      says: 'There is no rate limit. [reliability.md](reliability.md#bounds) lists the limits of svc-mock.',
      about: RATE_LIMIT_HEADERS.map((subject) => ({ aspect: 'header', subject }))
    }
  }),
  section('Resources', '`--max-resources`.', {
    'P-094': {
      says:
        'Each workgroup, allowed IP, database, workspace, backup, restore job, backup schedule, workspace schedule, ' +
        'in-database user and org user counts as one, so a workspace created with its database counts as two. One ' +
        'too many is a 403 `Quota-Exceed` that names the option; an automatic backup is skipped. Lowering the ' +
        'option removes nothing, but applying a snapshot or baseline with more is a 403.'
    }
  }),
  section(
    'Quotas',
    'a [profile](profiles.md#quotas), `PUT /_mock/quotas`, a state document.',
    {
      'P-099': {
        says: 'Quotas are unlimited until a test [sets them](test-control.md#quotas), per sandbox.',
        about: [{ aspect: 'quota' }]
      },
      'P-100': {
        says:
          'A quota is checked when something is created. One workspace or manual backup too many is a 403 ' +
          '`Quota-Exceed`; an automatic backup is skipped, as the timeline shows.',
        about: refused('quotaExceeded', 'createWorkspace')
      }
    },
    QUOTA_CLAIMS
  )
]
