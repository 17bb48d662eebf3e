import { refused, section } from '../../interface/assumption.js'

/** Refusals of an entry. */
const refusals = (condition: 'invalidBody' | 'notAllowed') => [
  ...refused(condition, 'addAllowedIP'),
  ...refused(condition, 'updateAllowedIP')
]

/** Section "Allow list". */
export const ALLOW_LIST_ASSUMPTIONS = section(
  'Allow list',
  '`--trust-proxy`; `src/lib/ip.ts`, `src/http/interface/allow-list.ts`.',
  {
    'P-086': {
      says:
        "A new workgroup's list is disabled and empty. Enabling an enabled list, or disabling a disabled one, " +
        'changes nothing.',
      about: [{ aspect: 'value', schema: 'Workgroup', field: 'enable_allow_list' }]
    },
    'P-087': {
      says:
        '`cidr` is stored in [canonical form](generated/interface-fields.md#allowedip): `203.0.113.7/24` becomes ' +
        '`203.0.113.0/24`.',
      about: [
        { aspect: 'form', subject: 'cidr' },
        { aspect: 'form', schema: 'AllowedIP', field: 'cidr' },
        { aspect: 'value', schema: 'AllowedIP', field: 'cidr' }
      ]
    },
    'P-088': {
      says: 'Short forms such as `127.1`, addresses with a zone, and surrounding blanks are a 400.',
      about: refusals('invalidBody')
    },
    'P-089': {
      says: 'The same canonical block twice in one workgroup is a 400, too; overlapping blocks are allowed.',
      about: refusals('notAllowed')
    },
    'P-090': {
      says:
        "`IsAllowed` is true if the list is disabled, or an entry contains the caller's address: an enabled empty " +
        'list allows nobody. `::/0` contains no IPv4 address.',
      about: [{ aspect: 'value', operation: 'getCurrentIP', field: 'IsAllowed' }]
    },
    'P-091': {
      says:
        "`CurrentIP` is the peer's address, an IPv4-mapped IPv6 one as IPv4. If the peer is a `--trust-proxy`, it " +
        'is the right-most address in `X-Forwarded-For` that is not trusted itself, without its port. If an entry ' +
        'cannot be read (`unknown`, say), it is the last one before that could.',
      about: [{ aspect: 'value', operation: 'getCurrentIP', field: 'CurrentIP' }]
    },
    'P-092': {
      says:
        'The list keeps nobody out. `current`, `enable` and `disable` are never the id of an entry: another method ' +
        'on them is a 405.'
    }
  }
)
