import { copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Sqlite from 'better-sqlite3'
import t, { type Test } from 'tap'
import { VERSION } from '../../src/lib/version.js'
import { upgrade } from '../../src/state/formats.js'
import { type Body, buildMock, close, CONTROLLER } from '../helper.js'
import { DATABASE, DOCUMENTS, type Documents, send, stateOf, writeFixture } from './fixture.js'

// What a version leaves behind is kept for ever, and every later one has to read it. `npm run fixture` writes that of
// the present one.
const FIXTURES = fileURLToPath(new URL('../fixtures/', import.meta.url))

if (process.env['WRITE_FIXTURE'] === '1') {
  await t.test(`the fixture of ${VERSION} is written, over none that is there`, async (t) => {
    const folder = join(FIXTURES, VERSION)
    if (existsSync(folder))
      throw new Error(`test/fixtures/${VERSION} is there already, and what was released does not change`)
    await writeFixture(t, folder)
  })
}

for (const version of readdirSync(FIXTURES)) {
  const documents = read(join(FIXTURES, version))

  void t.test(`a database of ${version} opens as it was`, async (t) => {
    const { mock, db } = await openCopy(t, version)
    for (const [key, { state }] of Object.entries(documents)) {
      // Fields that are newer than the document may come with it, but nothing of it is lost or another.
      t.hasStrict(await stateOf(mock, key), upgrade(state), `the sandbox ${key}`)
    }
    await close(mock)
    const sqlite = new Sqlite(db)
    t.strictSame(sqlite.pragma('integrity_check'), [{ integrity_check: 'ok' }])
    t.strictSame(sqlite.pragma('foreign_key_check'), [])
    sqlite.close()
  })

  void t.test(
    `a document of ${version} is imported, comes out the same, and goes on as the database of ${version} does`,
    async (t) => {
      const { mock } = await openCopy(t, version)
      for (const [key, { state }] of Object.entries(documents)) {
        const copy = `copy of ${key}`
        await send(mock, copy, 'PUT', '/_mock', '/state', state)
        t.strictSame(await stateOf(mock, copy), await stateOf(mock, key), `${key} as it was`)
        if (state.clock.mode === 'real') continue
        for (const sandbox of [key, copy]) {
          await send(mock, sandbox, 'POST', '/_mock', '/clock/advance', { by: 'P30D' })
          await send(mock, sandbox, 'POST', '/_mock', '/transitions/release')
        }
        t.strictSame(await stateOf(mock, copy), await stateOf(mock, key), `${key} after a month`)
      }
    }
  )

  void t.test(
    `what was due in a database of ${version} happens when time is moved there, and what was held when it is released`,
    async (t) => {
      const { mock } = await openCopy(t, version)
      const { main } = documents
      const events = main!.state.events as Body[]
      // What is due soon; later things may be taken back by what happens before them.
      const soon = new Date(Date.parse(main!.state.clock.now as string) + 3_600_000).toISOString()
      const due = events.filter(({ due }) => due !== null && due <= soon)
      const held = events.filter(({ due }) => due === null)
      t.ok(due.length >= 6, `${due.length} events are due within the hour`)
      t.ok(held.length >= 1, `${held.length} are held`)
      const ofEvent = ({ event, workspace_id: id, due: at }: Body) => ({
        event,
        resource_id: id,
        ...(at === null ? {} : { at })
      })
      const fired = (await send(mock, 'main', 'POST', '/_mock', '/clock/advance', { to: soon })).fired as Body[]
      for (const event of due)
        t.has(
          fired.filter((one) => one.event === event.event && one.resource_id === event.workspace_id),
          [ofEvent(event)]
        )
      t.has((await send(mock, 'main', 'POST', '/_mock', '/transitions/release')).fired, held.map(ofEvent))
    }
  )

  void t.test(`snapshots and baselines that ${version} has kept are restored`, async (t) => {
    const { mock } = await openCopy(t, version)
    for (const [key, { snapshots }] of Object.entries(documents)) {
      for (const [name, state] of Object.entries(snapshots)) {
        await send(mock, key, 'POST', '/_mock', `/snapshots/${name}/restore`)
        t.hasStrict(await stateOf(mock, key), upgrade(state), `${name} of ${key}`)
      }
      await send(mock, key, 'POST', '/_mock', '/reset')
    }
    t.match(
      await send(mock, 'main', 'GET', CONTROLLER, '/workgroups'),
      [{ workgroup_id: 'production' }],
      'its baseline'
    )
  })
}

void t.test('what a version leaves behind is the same each time it is written', async (t) => {
  const folder = t.testdir()
  for (const name of ['one', 'other']) await writeFixture(t, join(folder, name))
  t.strictSame(read(join(folder, 'other')), read(join(folder, 'one')))
})

void t.test('every release that CHANGELOG.md lists has its fixture', async (t) => {
  t.strictSame(releasesOf('# Changelog\n\n## Unreleased\n\n## 1.2.3\n\n### Added 1.2.4\n\n## 1.2.0 (2026-01-01)\n'), [
    '1.2.3',
    '1.2.0'
  ])
  const releases = releasesOf(readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8'))
  for (const release of releases)
    t.ok(
      existsSync(join(FIXTURES, release)),
      `${release}: write test/fixtures/${release} by 'npm run fixture', before the version goes on`
    )
})

/** The versions that a changelog lists as released. */
function releasesOf(changelog: string): string[] {
  return [...changelog.matchAll(/^## v?(\d+\.\d+\.\d+[\w.-]*)/gm)].map(([, version]) => version!)
}

function read(folder: string): Documents {
  return JSON.parse(readFileSync(join(folder, DOCUMENTS), 'utf8')) as Documents
}

/** Opens a copy of the database of a version. */
async function openCopy(t: Test, version: string) {
  const db = join(t.testdir(), DATABASE)
  copyFileSync(join(FIXTURES, version, DATABASE), db)
  return { mock: await buildMock(t, { db, transitions: 'realistic' }), db }
}
