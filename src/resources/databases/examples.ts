import { MOMENT } from '../examples.js'
import { DEFAULT_VERSION } from '../metadata/catalogue.js'
import type { DatabaseRecord } from './store.js'

const database = (id: string): DatabaseRecord => ({
  id,
  workgroup: 'demo',
  name: id,
  svcVersion: DEFAULT_VERSION,
  createTime: MOMENT
})

export const SHOP = database('shop')

/** All databases of the demo data. */
export const DEMO_DATABASES = [SHOP, database('metrics'), database('archive')]
