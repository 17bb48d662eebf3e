import t from 'tap'
import { openDatabase } from '../../src/db/database.js'
import { databaseStore } from '../../src/resources/databases/fields.js'
import { workgroupStore } from '../../src/resources/workgroups/fields.js'
import { type WorkspaceRecord } from '../../src/resources/workspaces/fields.js'
import { workspaceStore } from '../../src/resources/workspaces/store.js'
import { sandboxStore } from '../../src/sandboxes/store.js'
import { WALL_CLOCK } from '../../src/sim/clock.js'

// A sandbox with more workspaces than one statement reads. What follows the last page is never asked for, so that a
// mistake cannot lead to pages without an end.

const db = openDatabase(':memory:')
t.teardown(() => db.close())
const workgroups = workgroupStore(db)
const databases = databaseStore(db)
const store = workspaceStore(db)
const sandboxes = sandboxStore(db)

// The id of the first is before all letters.
const GROUPS = ['0', 'm', 'a']

const record = (id: string, workgroup: string): WorkspaceRecord => ({
  id,
  workgroup,
  database: `d-${workgroup}`,
  name: `name of ${id}`,
  creator: 'creator',
  status: 'Active',
  refreshStatus: '',
  refreshMessage: '',
  snapshotTime: null,
  svcVersion: '4.2.2',
  versionNumber: 1,
  typeName: 'SVC-00',
  isRw: id.endsWith('0'),
  enableHa: false,
  enableAutoStart: false,
  autoStopMinutes: 0,
  addons: [],
  agentConfig: {},
  solutionCatalogId: null,
  lastActive: 0,
  createdAt: 'created',
  lastModifiedTime: 'modified',
  statusSince: 'since'
})

/** Fills a new sandbox with workspaces, whose workgroups take turns. @returns its key */
function fill(id: string, count: number): number {
  const { key } = sandboxes.insert(
    { id, orgId: 'o', orgName: 'Org', random: { seed: '0', draws: 0 }, clock: WALL_CLOCK, expires: null },
    0
  )
  for (const group of GROUPS) {
    workgroups.insert(key, {
      id: group,
      name: group,
      creator: 'c',
      cloudProviderId: 'p',
      platform: 'aws',
      region: 'r',
      enableAllowList: false
    })
    databases.insert(key, { id: `d-${group}`, workgroup: group, name: 'n', svcVersion: 'v', createTime: 't' })
  }
  for (let i = 0; i < count; i++) store.insert(key, record(`w-${i}`, GROUPS[i % GROUPS.length]!))
  return key
}

/** The first pages of a list, at most one more than there should be. */
function take<T>(pages: Generator<T[]>, most: number): T[][] {
  const taken: T[][] = []
  for (const page of pages) {
    taken.push(page)
    if (taken.length > most) break
  }
  return taken
}

const sizes = (pages: readonly unknown[][]) => pages.map(({ length }) => length)
const ids = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id)

for (const [count, expected] of [
  [0, [0]],
  [3, [3]],
  [1000, [1000, 0]],
  [2300, [1000, 1000, 300]]
] as const) {
  void t.test(`each of ${count} workspaces is on one page`, async (t) => {
    const key = fill(`of ${count}`, count)
    const all = Array.from({ length: count }, (_, i) => store.find(key, `w-${i}`)!)
    // By workgroup, and in order of creation in each.
    const grouped = ['0', 'a', 'm'].flatMap((group) => all.filter(({ workgroup }) => workgroup === group))
    const pages = take(store.pages(key), expected.length)
    t.strictSame(sizes(pages), expected)
    t.strictSame(ids(pages.flat()), ids(grouped))
    const brief = take(store.briefPages(key), expected.length)
    t.strictSame(sizes(brief), expected)
    t.strictSame(ids(brief.flat()), ids(grouped))
  })
}

void t.test('pages have every field, and brief pages those of brief lists, in order of creation', async (t) => {
  const key = fill('fields', 30)
  const all = Array.from({ length: 30 }, (_, i) => store.find(key, `w-${i}`)!)
  t.strictSame(
    [...store.pages(key)]
      .flat()
      .sort((a, b) => a.place - b.place)
      .map(({ place: _, ...fields }) => fields),
    all
  )
  t.match(all[1], { ...record('w-1', 'm'), workgroupName: 'm', cloudProviderId: 'p', region: 'r' })
  t.strictSame(
    store.listBrief(key).map(({ place: _, ...fields }) => fields),
    all.map(({ id, workgroup, database, name, status, refreshStatus, typeName, svcVersion, isRw }) => ({
      id,
      workgroup,
      database,
      name,
      status,
      refreshStatus,
      typeName,
      svcVersion,
      isRw
    }))
  )
})
