import type { Catalogue } from '../../profile/catalogue.js'
import { exampleRow, NEW_ID, typeLike } from '../examples.js'
import { reader } from '../field-table.js'
import { ON_DEMAND_STATE } from './demo-state.js'
import { type FoundWorkspace, newWorkspace, type WorkspaceRecord, WORKSPACES } from './fields.js'

const given = reader(WORKSPACES.fields, 'document')

/** The workspaces of the demo data. */
export function demoWorkspaces(catalogue: Catalogue) {
  const inherited = { workgroupName: 'demo', cloudProviderId: 'demo-account', region: catalogue.defaults.region }
  const workspace = (id: string, database: string, given: Partial<WorkspaceRecord> = {}): FoundWorkspace => ({
    ...newWorkspace(exampleRow(catalogue), { id, workgroup: 'demo', database, ...given }),
    ...inherited
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
      workspace(ON_DEMAND_STATE.id, ON_DEMAND_STATE.database, given(ON_DEMAND_STATE)),
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
