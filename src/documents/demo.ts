import { DEMO_BACKUP, DEMO_JOB } from '../resources/backups/examples.js'
import { DEMO_USER_STATE } from '../resources/database-users/examples.js'
import { DEMO_ORG, type TypeChoice, typeLike } from '../resources/examples.js'
import { DEMO_ORG_USERS } from '../resources/org-users/examples.js'
import { DEMO_BACKUP_SCHEDULE, EVENING, morning } from '../resources/schedules/examples.js'
import { ON_DEMAND_STATE } from '../resources/workspaces/demo-state.js'
import type { StateDocument } from './schemas.js'

/**
 * What `--demo` fills new sandboxes with, and the console an empty one: readable ids, a workspace in each state that
 * lasts, and something that each operation can be tried on. The examples in the OpenAPI document name it.
 */
export const demoState = (catalogue: TypeChoice): StateDocument => ({
  org: { id: DEMO_ORG.orgId, name: DEMO_ORG.orgName },
  org_users: DEMO_ORG_USERS,
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
          backup_schedule: DEMO_BACKUP_SCHEDULE,
          backups: [DEMO_BACKUP],
          restore_jobs: [DEMO_JOB],
          users: [DEMO_USER_STATE]
        },
        { id: 'reader', database: 'shop', is_rw: false },
        {
          id: 'office-hours',
          database: 'metrics',
          status: 'Stopped',
          schedules: [morning(catalogue), EVENING]
        },
        ON_DEMAND_STATE,
        { id: 'broken', database: 'metrics', is_rw: false, status: 'Failed' }
      ]
    },
    { id: 'spare', cloud_provider_id: 'demo-account' }
  ]
})
