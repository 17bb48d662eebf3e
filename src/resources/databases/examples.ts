import type { Catalogue } from '../../profile/catalogue.js'
import { exampleRow } from '../examples.js'
import { newDatabase } from './fields.js'

/** The databases of the demo data. */
export function demoDatabases(catalogue: Catalogue) {
  const database = (id: string) => newDatabase(exampleRow(catalogue), { id, workgroup: 'demo' })
  const shop = database('shop')
  return { shop, all: [shop, database('metrics'), database('archive')] }
}
