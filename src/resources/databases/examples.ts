import type { Catalogue } from '../../profile/catalogue.js'
import { MOMENT } from '../examples.js'
import type { DatabaseRecord } from './fields.js'

/** The databases of the demo data. */
export function demoDatabases({ defaults }: Catalogue) {
  const database = (id: string): DatabaseRecord => ({
    id,
    workgroup: 'demo',
    name: id,
    svcVersion: defaults.version,
    createTime: MOMENT
  })
  const shop = database('shop')
  return { shop, all: [shop, database('metrics'), database('archive')] }
}
