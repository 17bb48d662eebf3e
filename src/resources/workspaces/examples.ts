import { MOMENT, NEW_ID } from '../examples.js'
import { CALLER, DEFAULT_REGION, DEFAULT_TYPE, DEFAULT_VERSION } from '../metadata/catalogue.js'
import type { FoundWorkspace } from './store.js'

/** A workspace of the demo data, with the settings that it has if nothing else is given. */
function workspace(id: string, database: string, given: Partial<FoundWorkspace> = {}): FoundWorkspace {
  return {
    id,
    workgroup: 'demo',
    workgroupName: 'demo',
    database,
    name: id,
    creator: CALLER,
    cloudProviderId: 'demo-account',
    region: DEFAULT_REGION,
    status: 'Active',
    refreshStatus: 'None',
    refreshMessage: '',
    snapshotTime: given.isRw === false ? MOMENT : null,
    svcVersion: DEFAULT_VERSION,
    versionNumber: 1,
    typeName: DEFAULT_TYPE,
    isRw: true,
    enableHa: false,
    enableAutoStart: false,
    autoStopMinutes: 0,
    addons: [],
    agentConfig: {},
    solutionCatalogId: null,
    lastActive: 0,
    createdAt: MOMENT,
    lastModifiedTime: MOMENT,
    ...given
  }
}

export const MAIN = workspace('main', 'shop', { typeName: 'SVC-2' })

/** Those that serve the database `shop`. */
export const SHOP_WORKSPACES = [MAIN, workspace('reader', 'shop', { isRw: false })]

/** All workspaces of the demo data. */
export const DEMO_WORKSPACES = [
  ...SHOP_WORKSPACES,
  workspace('office-hours', 'metrics', { status: 'Stopped' }),
  workspace('on-demand', 'metrics', { isRw: false, status: 'Idle', enableAutoStart: true }),
  workspace('broken', 'metrics', { isRw: false, status: 'Failed' })
]

/** A workspace that has just been created. */
export const CREATED_WORKSPACE = workspace(NEW_ID, NEW_ID, {
  name: 'analytics',
  status: 'Creating',
  typeName: 'SVC-4',
  autoStopMinutes: 30
})

/** In a state document: starts when somebody uses it. */
export const ON_DEMAND_STATE = {
  id: 'on-demand',
  database: 'metrics',
  is_rw: false,
  status: 'Idle',
  enable_auto_start: true
} as const
