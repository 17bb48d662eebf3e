import type { Catalogue } from '../../profile/catalogue.js'
import { MOMENT, NEW_ID, typeLike } from '../examples.js'
import { CALLER } from '../org-users/seed.js'
import type { FoundWorkspace } from './fields.js'

/** The workspaces of the demo data. */
export function demoWorkspaces(catalogue: Catalogue) {
  const { defaults } = catalogue
  /** A workspace with the settings that it has if nothing else is given. */
  const workspace = (id: string, database: string, given: Partial<FoundWorkspace> = {}): FoundWorkspace => ({
    id,
    workgroup: 'demo',
    workgroupName: 'demo',
    database,
    name: id,
    creator: CALLER,
    cloudProviderId: 'demo-account',
    region: defaults.region,
    status: 'Active',
    refreshStatus: 'None',
    refreshMessage: '',
    snapshotTime: given.isRw === false ? MOMENT : null,
    svcVersion: defaults.version,
    versionNumber: 1,
    typeName: defaults.workspaceType,
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
  })
  const main = workspace('main', 'shop', { typeName: typeLike('SVC-2', catalogue) })
  const ofShop = [main, workspace('reader', 'shop', { isRw: false })]
  return {
    main,
    /** Those that serve the database `shop`. */
    ofShop,
    all: [
      ...ofShop,
      workspace('office-hours', 'metrics', { status: 'Stopped' }),
      workspace('on-demand', 'metrics', { isRw: false, status: 'Idle', enableAutoStart: true }),
      workspace('broken', 'metrics', { isRw: false, status: 'Failed' })
    ],
    /** One that has just been created. */
    created: workspace(NEW_ID, NEW_ID, {
      name: 'analytics',
      status: 'Creating',
      typeName: typeLike('SVC-4', catalogue),
      autoStopMinutes: 30
    })
  }
}

/** In a state document: starts when somebody uses it. */
export const ON_DEMAND_STATE = {
  id: 'on-demand',
  database: 'metrics',
  is_rw: false,
  status: 'Idle',
  enable_auto_start: true
} as const
