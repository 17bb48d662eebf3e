import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { parse } from 'yaml'
import { serve } from '../../src/node/serve.js'
import { checkOptions, embeddedDefaults } from '../../src/options.js'
import type { Body } from '../helper.js'
import { logLines } from '../log-lines.js'

const EXAMPLE = fileURLToPath(new URL('../../examples/seed.yaml', import.meta.url))

void t.test('with examples/seed.yaml, every new sandbox starts from it', async (t) => {
  const db = join(t.testdir(), 'a.db')
  const { lines, logger } = logLines('trace')
  const mock = await serve(checkOptions({ seedFile: EXAMPLE, db, logLevel: 'trace' }, embeddedDefaults()), logger)
  t.teardown(mock.close)
  const given = JSON.stringify(parse(readFileSync(EXAMPLE, 'utf8')))
  // As an export has it: without passwords, and each timestamp and address in one form.
  const expected: Body = JSON.parse(given, (name, value: unknown) => {
    if (typeof value !== 'string') return value
    if (name === 'password') return undefined
    if (name === 'cidr' && !value.includes('/')) return `${value}/32`
    return /^\d{4}-.*Z$/.test(value) ? new Date(value).toISOString() : value
  })
  for (const key of ['a', 'b']) {
    const box = mock.sandbox(key)
    t.match(await box.state.read(), expected)
    t.match(await box.call('listWorkgroups'), [
      { workgroup_id: 'production', org_name: 'Demo Org', enable_allow_list: true },
      { workgroup_id: 'staging', svc_databases: [{ database_id: 'playground' }] }
    ])
    t.strictSame((await box.events()).map(({ event, resource_id }) => `${event} ${resource_id}`).sort(), [
      'backup.schedule fraud-writer',
      'workspace.auto-stop playground-writer',
      'workspace.schedule fraud-reader',
      'workspace.schedule fraud-reader'
    ])
    t.notMatch(JSON.stringify(await box.state.read()), /change-me/)
  }
  t.notMatch(JSON.stringify(lines), /change-me/)
  for (const file of [db, `${db}-wal`]) t.notMatch(readFileSync(file, 'latin1'), /change-me/)
})
