import { refused, section } from '../../interface/assumption.js'

/** Section "Users": in-database users, and those of the org. */
export const USER_ASSUMPTIONS = section(
  'Users',
  'a [state document](test-control.md#state-documents) (`org_users`, and `users` of a workspace); `roles` in a ' +
    '[profile](profiles.md#stubs-gateway-messages-roles); otherwise `src/resources/org-users/` and `database-users/`.',
  {
    'P-165': {
      says:
        'In-database users belong to a workspace, and go with it. While its server does not run (in any state but ' +
        'Active, Resizing and Restoring), they can be neither listed nor changed. A password is stored as a salted ' +
        'scrypt hash, and never shown. Nothing checks it.',
      about: [
        { aspect: 'status', operation: 'createDatabaseUser' },
        { aspect: 'status', operation: 'updateDatabaseUserPassword' },
        { aspect: 'status', operation: 'deleteDatabaseUser' }
      ]
    },
    'P-166': {
      says:
        'Every org starts with three users, created on 2025-01-01: `owner@svc.test` (`org-admin`), `ada@svc.test` ' +
        '(`workgroup-admin`, `workspace-admin`) and `max@svc.test` (`workspace-member`). All credentials act as the ' +
        'first.',
      about: [
        { aspect: 'value', operation: 'listOrgUsers' },
        { aspect: 'order', operation: 'listOrgUsers' }
      ]
    },
    'P-167': {
      says:
        'The roles are `org-admin`, `billing-admin`, `billing-viewer`, `workgroup-admin`, `workspace-admin` and ' +
        '`workspace-member`; others are a 400. They allow and forbid nothing.',
      about: [
        { aspect: 'word', schema: 'org_handler.OrgRole', field: 'name' },
        ...refused('invalidBody', 'updateOrgUserRoles')
      ]
    },
    'P-168': {
      says:
        'Operation 38 replaces all roles of a user. Taking `org-admin` from the last enabled user who has it is a ' +
        '400. An unknown user is a 404.',
      about: [...refused('notAllowed', 'updateOrgUserRoles'), ...refused('notFound', 'updateOrgUserRoles')]
    }
  }
)
