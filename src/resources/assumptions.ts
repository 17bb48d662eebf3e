import { type Aspect, type FactKey, section } from '../interface/assumption.js'
import { CATALOGUE_CLAIMS } from '../profile/assumptions.js'

const values = (...places: readonly string[]): FactKey[] =>
  places.map((place) => {
    const [schema = '', field = ''] = place.split('.')
    return { aspect: 'value', schema, field }
  })

/** Section "Fields": fields that resources have in common. Each published schema has an id, too. */
export const FIELD_ASSUMPTIONS = section(
  'Fields',
  'a [profile](profiles.md), `--strict-bodies`, `--seed`, `--workspace-host-template`, the ' +
    '[clock](test-control.md#clock); values of any resource by a [state document](test-control.md#state-documents); ' +
    'fields in `src/resources/`; `AJV_OPTIONS` and `requestText` for types and strings.',
  {
    'P-001': {
      says:
        'A reply has all of its fields, but your client should not rely on any. Two exceptions were observed: sizes ' +
        'of a workspace are absent while they are 0, and its reply to an update has an empty `workgroup_name`.',
      about: [
        ...(['field', 'type', 'word', 'form', 'value'] satisfies Aspect[]).map((aspect) => ({ aspect })),
        { aspect: 'value', operation: 'updateWorkspace', schema: 'Workspace', field: 'workgroup_name' }
      ]
    },
    'P-002': {
      says: 'A field of the wrong type is a 400. Nothing is coerced: `"5"` is not `5`, and `null` is not absent.',
      about: [{ aspect: 'status', condition: 'invalidBody', subject: 'type' }]
    },
    'P-003': {
      says: 'Unknown fields are ignored; `--strict-bodies` makes them a 400.',
      about: [{ aspect: 'status', subject: 'unknown field' }]
    },
    'P-004': {
      says:
        'Ids are lower-case version 4 UUIDs from the server, except those that a ' +
        '[state document](test-control.md#state-documents) gives. With `--seed`, every new sandbox draws the same ' +
        'ids, in the order of its requests.',
      about: [{ aspect: 'form', subject: 'id' }]
    },
    'P-005': {
      says:
        'Timestamps are in UTC, from the clock of the sandbox: `created_at` as Go prints it, such as ' +
        '`2026-06-03 06:59:27.151543 +0000 UTC`, all others as `2026-06-09T08:44:30Z`. State documents and the ' +
        'control API have milliseconds.',
      about: [{ aspect: 'form', subject: 'timestamp' }]
    },
    'P-006': {
      says:
        'A string in a request has 1 to 256 characters. Names need not be unique; a default name looks like ' +
        '`workspace-1f0c2d3e`, with the first 8 characters of the id.',
      about: [
        { aspect: 'form', subject: 'name' },
        { aspect: 'status', condition: 'invalidBody', subject: 'length' },
        { aspect: 'status', condition: 'notAllowed', subject: 'name' }
      ]
    },
    'P-007': {
      says: 'Lists are complete, in the order of creation; there is no paging.',
      about: [{ aspect: 'order' }]
    },
    'P-008': {
      says: 'An update keeps the fields that you leave out.',
      about: (['updateWorkgroup', 'updateDatabase', 'updateWorkspace'] as const).map((operation) => ({
        aspect: 'value',
        operation
      }))
    },
    'P-009': {
      says: 'The org has no name (`org_name` is empty), and `owner@svc.test` is the creator of everything.'
    },
    'P-010': {
      says: 'The `srn` of a user is `srn:svc:iam:<org_id>:user/<id>`; that of a role ends with `role/<id>`.',
      about: [{ aspect: 'form', subject: 'srn' }]
    },
    ...CATALOGUE_CLAIMS,
    'P-016': {
      says:
        '`nginx_host` has no port by default. Clients often derive it from the domain: 443 under that of the ' +
        'service, otherwise the ports of a server of their own. Choose a template that leads them where you want.',
      about: [{ aspect: 'form', subject: 'host' }, ...values('Workspace.nginx_host')]
    },
    'P-017': {
      says:
        'A database is created with a workspace that names none, with its `svc_version`, and outlives its ' +
        'workspaces. Then it accepts another read-write one, which public pages of the service rule out.',
      about: values('Workspace.database_id', 'SvcDatabase.name', 'SvcDatabase.svc_version')
    },
    'P-018': { says: 'Deleting a workgroup deletes its allow list.' }
  }
)
