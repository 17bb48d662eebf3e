import { type Claims, type FactKey, refused, section } from './assumption.js'
import { type Condition, ERRORS } from './errors.js'

/** Operations whose errors repeat their message as `Result`. */
const REPEATING = [
  'addAllowedIP',
  'listAllowedIPs',
  'getCurrentIP',
  'disableAllowList',
  'enableAllowList',
  'updateAllowedIP',
  'deleteAllowedIP'
] as const

/** Each row of the table of errors. */
const CONDITIONS: Claims = Object.fromEntries(
  (Object.keys(ERRORS) as Condition[]).map((condition) => {
    const { id, status, type, when } = ERRORS[condition]
    const allow: readonly FactKey[] = condition === 'methodNotAllowed' ? [{ aspect: 'header', subject: 'allow' }] : []
    const about = [...refused(condition), ...allow]
    return [id, { says: `The reply is a ${status} \`${type}\` in this case: ${when}.`, about }]
  })
)

/** Section "Errors". */
export const ERROR_ASSUMPTIONS = section(
  'Errors',
  'a fault for single requests; `ERRORS` and `ERROR_TYPES` in `src/interface/errors.ts`.',
  {
    'P-061': {
      says:
        'An error has at least one entry in `ErrorDetails`: one per invalid field, up to 1,000. The words of ' +
        '`Reason` and `Message` may change.',
      about: [{ aspect: 'envelope', field: 'ErrorDetails' }]
    },
    'P-062': {
      says:
        'Only a [fault](test-control.md#faults) produces the types `API-Disabled` and `Unknown`. The default type ' +
        'of a fault is that of its status in this table, `Quota-Exceed` for 429, `Internal-Error` for any 5xx, ' +
        'otherwise `Unknown`.',
      about: [{ aspect: 'error type' }]
    },
    'P-063': {
      says:
        "In errors of the allow list's operations, `Result` repeats the message. The interface declares that for " +
        '400 and 500.',
      about: REPEATING.map((operation) => ({ aspect: 'envelope', operation, field: 'Result' }))
    },
    'P-064': {
      says: 'A client that disconnects while it sends a body gets no reply; the journal and the log show a 499.'
    },
    'P-065': {
      says:
        'Malformed HTTP, or a request without `Host`, is a 400; headers that are too large are a 431; a request ' +
        'that takes too long to arrive is a 408. All have the type `Bad-Request`, and end the connection.'
    }
  },
  CONDITIONS
)
