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

/** The rows of the table of errors. */
const CONDITIONS: Claims = Object.fromEntries(
  (Object.keys(ERRORS) as Condition[]).map((condition) => {
    const { id, status, type, when } = ERRORS[condition]
    const allow: readonly FactKey[] = condition === 'methodNotAllowed' ? [{ aspect: 'header', subject: 'allow' }] : []
    const about = [...refused(condition), ...allow]
    return [id, { says: `The reply is a ${status} \`${type}\` in this case: ${when}.`, about }]
  })
)

export const ERROR_ASSUMPTIONS = section(
  'Errors',
  'a [profile](profiles.md#errors), or a fault for single requests; otherwise `src/interface/errors.ts`.',
  {
    'P-061': {
      says:
        'An error has at least one entry in `ErrorDetails`: one per invalid field, up to 1,000. The words of ' +
        '`Reason` and `Message` may change.',
      about: [{ aspect: 'envelope', field: 'ErrorDetails', subject: 'error' }]
    },
    'P-062': {
      says:
        'Only a [fault](test-control.md#faults) produces the types `API-Disabled` and `Unknown`. The default type ' +
        'of a fault is `Quota-Exceed` for 429, `Internal-Error` for 200 and 5xx, otherwise as above, or `Unknown`.',
      about: [{ aspect: 'error type' }]
    },
    'P-063': {
      says:
        "In errors of the allow list's operations, `Result` repeats the message. The interface declares that for " +
        '400 and 500.',
      about: REPEATING.map((operation) => ({ aspect: 'envelope', operation, field: 'Result', subject: 'error' }))
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

const headers = (...names: readonly string[]): FactKey[] => names.map((subject) => ({ aspect: 'header', subject }))

export const HTTP_ASSUMPTIONS = [
  section('Credentials and sandboxes', '`--auth`, `--api-key`, `--seed-file`; `src/http/hooks/enter-sandbox.ts`.', {
    'P-066': {
      says:
        'An API key is sent as `x-api-key: <key>`, a session as `Authorization: Bearer <token>`; other ' +
        '`Authorization` schemes are ignored. If you send both, the session counts.'
    },
    'P-067': {
      says: 'Operations 37 and 38 accept only a session; an API key is a 403, even with `--auth off`.',
      about: [...refused('forbidden', 'listOrgUsers'), ...refused('forbidden', 'updateOrgUserRoles')]
    },
    'P-068': {
      says: 'The same text names the same sandbox, as a key and as a session. Sandboxes share nothing.'
    },
    'P-069': {
      says:
        'By default the first request with any credential creates a sandbox, even if that request is invalid. A new ' +
        'sandbox has only an org with its [users](#users), unless `--seed-file` says otherwise.'
    },
    'P-070': {
      says:
        '`--auth strict` accepts only the keys of `--api-key`, and keys of forks; others are a 401. `--auth off` ' +
        'needs no credential, and all callers share one sandbox.'
    },
    'P-071': {
      says:
        'A key `fork_` with 24 hexadecimal digits belongs to a [fork](test-control.md#sandboxes) and never creates ' +
        'a sandbox.'
    },
    'P-072': {
      says: 'Credentials are neither stored nor logged; a sandbox is known by the SHA-256 of its credential.'
    }
  }),
  section(
    'HTTP',
    '`--base-path` (not for `/openapi.json`, `/docs` and `/_mock`), `--cors-origin`; messages and the ' +
      'form of replies by a [profile](profiles.md#prefix-routes-replies); otherwise `src/http/`.',
    {
      'P-073': {
        says:
          'A request to which none of the conditions under [Errors](#errors) applies succeeds. Every success is a ' +
          '200, creation included; only operation 38 is a 204. The interface declares this.',
        about: [{ aspect: 'status' }]
      },
      'P-074': {
        says:
          'The `Message` of a success is one sentence for each operation, such as `Successfully got the workspace.`; ' +
          'see the examples in `/openapi.json`.',
        about: [{ aspect: 'message' }]
      },
      'P-075': {
        says:
          'A reply has `RequestID`, `Error`, `Message`, `ErrorDetails` and `Result`, in this order. `ErrorDetails` ' +
          'is null in a success; `Result` is null in an error, and where the interface gives a success none.',
        about: [{ aspect: 'envelope' }, { aspect: 'type', field: 'Result' }]
      },
      'P-076': {
        says:
          'The `RequestID` is also in the header `X-Request-Id`. Your client can choose it by sending that header, ' +
          'with 1 to 128 characters from `A-Za-z0-9._-`.',
        about: headers('x-request-id')
      },
      'P-077': {
        says: 'The `Content-Type` of a reply is `application/json; charset=utf-8`.',
        about: headers('content-type')
      },
      'P-078': {
        says:
          'A reply has only these two headers, `Allow` with a 405, those of CORS, `Retry-After` with a 503 because ' +
          'bodies of others take up the memory, and those about the connection (`Connection`, `Content-Length`, ' +
          '`Date`, `Keep-Alive`).',
        about: [{ aspect: 'header' }]
      },
      'P-079': {
        says:
          'A body must be `application/json`, in UTF-8 and not compressed; otherwise it is a 415, or, if only the ' +
          'bytes of the body show it, a 400. An empty one of that type counts as no body. An unneeded one must still ' +
          'be JSON, and is ignored; on GET it is not read.',
        about: refused('unsupportedMediaType')
      },
      'P-080': {
        says:
          'JSON that cannot be stored is a 400 that names the field: half a surrogate pair, a number beyond the ' +
          'largest double, a field named `__proto__`, or `constructor` with a `prototype` in it. A byte order mark ' +
          'before the body is skipped.',
        about: [{ aspect: 'status', condition: 'invalidBody', subject: 'json' }]
      },
      'P-081': {
        says: '`Host`, `x-api-key`, `Authorization` and `X-Mock-Token` may come once each; twice is a 400.'
      },
      'P-082': {
        says: 'Pipelined requests run one at a time, each after the reply to the one before.'
      },
      'P-083': {
        says: 'HEAD works wherever GET does. Paths are case-sensitive; a trailing slash makes another path.'
      },
      'P-084': {
        says:
          'The interface is mounted at `/`. `/` itself, `/openapi.json`, `/docs`, `/_mock/openapi.json`, ' +
          "`/_mock/ready` and the console's page need no credential."
      },
      'P-085': {
        says:
          'CORS is off. `--cors-origin` lets pages of an origin use GET, POST, PUT, PATCH and DELETE, and read ' +
          '`X-Request-Id`. A preflight request is then a 204 on any path.',
        about: headers(
          'access-control-allow-credentials',
          'access-control-allow-headers',
          'access-control-allow-methods',
          'access-control-allow-origin',
          'access-control-expose-headers',
          'access-control-max-age',
          'vary'
        )
      }
    }
  )
]
