import type { Catalogue, WorkspaceType } from '../profile/catalogue.js'
import type { Org } from '../sandboxes/sandbox.js'
import { ORG_SEED } from './org-users/seed.js'

/** The org of the demo data. */
export const DEMO_ORG: Org = { orgId: 'demo-org', orgName: 'Demo Org' }

export interface TypeChoice {
  readonly workspace_types: readonly Pick<WorkspaceType, 'typeName' | 'create' | 'resize'>[]
  readonly defaults: Pick<Catalogue['defaults'], 'workspace_type'>
}

/** A built-in workspace type if new workspaces can have it, otherwise the default one. */
export function typeLike(name: string, { workspace_types: types, defaults }: TypeChoice): string {
  return types.some(({ typeName, create }) => typeName === name && create) ? name : defaults.workspace_type
}

/** The demo data, as a state document has it. */
export const demoData = (catalogue: TypeChoice) => ({
  org: { id: DEMO_ORG.orgId, name: DEMO_ORG.orgName },
  org_users: ORG_SEED.map((user) => {
    const id = user.first_name.toLowerCase()
    return { ...user, id, auth_id: `auth|${id}` }
  }),
  workgroups: [
    {
      id: 'demo',
      cloud_provider_id: 'demo-account',
      allow_list: { enabled: true, entries: [{ id: 'office', cidr: '203.0.113.0/24', note: 'Office' }] },
      databases: [{ id: 'shop' }, { id: 'metrics' }, { id: 'archive' }],
      workspaces: [
        {
          id: 'main',
          database: 'shop',
          workspace_type_name: typeLike('SVC-2', catalogue),
          backup_schedule: {
            schedule: '0 3 * * *',
            pause: false,
            max_backup_files: 5,
            max_reserved_days: 14,
            max_retry: 2
          },
          backups: [{ id: 'before-upgrade', tag: 'before-upgrade', size_bytes: 7_340_032 }],
          restore_jobs: [
            {
              id: 'roll-back',
              output:
                'Restore of backup before-upgrade requested.\n' +
                'The workspace was taken out of service; reading the backup.\n' +
                'The backup was restored; the workspace is in service again.\n'
            }
          ],
          // Not a hash: nothing checks passwords.
          users: [{ id: 'ann', username: 'ann', password_hash: 'none' }]
        },
        { id: 'reader', database: 'shop', is_rw: false },
        {
          id: 'office-hours',
          database: 'metrics',
          status: 'Stopped',
          schedules: [
            {
              repeat: 'weekdays' as const,
              time: '08:00',
              timezone: 'Europe/Berlin',
              workspace_type_name: typeLike('SVC-1', catalogue),
              id: 'morning'
            },
            { repeat: 'weekdays' as const, time: '19:00', timezone: 'Europe/Berlin', id: 'evening' }
          ]
        },
        { id: 'on-demand', database: 'metrics', is_rw: false, status: 'Idle', enable_auto_start: true },
        { id: 'broken', database: 'metrics', is_rw: false, status: 'Failed' }
      ]
    },
    { id: 'spare', cloud_provider_id: 'demo-account' }
  ]
})
