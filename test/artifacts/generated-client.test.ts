import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Ajv2019 } from 'ajv/dist/2019.js'
import t from 'tap'
import typescript from 'typescript'
import { startMock } from '../../src/node/index.js'
import { otherEditionFile } from '../fidelity/learn/documents.js'
import { otherEdition } from '../fidelity/learn/other-edition.js'
import type { Body } from '../helper.js'
import { temporaryFolder } from '../temporary.js'
import { run } from './tools.js'

// Another edition of the service: a profile is learned from its document, and a client generated from the same document
// works with a server that has this profile.

type Calls = Readonly<Record<string, (...input: unknown[]) => Promise<{ data: Body }>>>
type ClientClass = new (settings: object) => { readonly controller: Calls; readonly users: Calls }

void t.test('a generated client of another edition', { timeout: 600_000 }, async (t) => {
  const work = temporaryFolder(t)
  const profile = join(work, 'profile.yaml')
  const document = otherEditionFile(t)
  await run(process.execPath, ['dist/cli/main.js', 'profile', 'learn', '--openapi', document, '--out', profile])
  writeFileSync(join(work, 'package.json'), '{ "private": true, "type": "module" }')
  const quiet = ['--no-audit', '--no-fund', '--silent']
  await run('npm', ['install', ...quiet, 'swagger-typescript-api@13.13.0'], { cwd: work, minutes: 5 })
  await run(
    process.execPath,
    ['node_modules/.bin/swagger-typescript-api', 'generate', '-p', document, '-o', '.', '-n', 'client.ts'],
    { cwd: work, minutes: 2 }
  )
  const source = readFileSync(join(work, 'client.ts'), 'utf8')
  const { ESNext: target } = typescript.ScriptTarget
  writeFileSync(
    join(work, 'client.js'),
    typescript.transpileModule(source, { compilerOptions: { target, module: typescript.ModuleKind.ESNext } }).outputText
  )
  const { Api } = (await import(pathToFileURL(join(work, 'client.js')).href)) as { Api: ClientClass }

  await using mock = await startMock({ profile })
  const box = mock.sandbox('generated')
  const problems: string[] = []
  const { controller, users } = new Api({
    baseUrl: mock.url,
    baseApiParams: { headers: { 'x-api-key': 'generated', authorization: 'Bearer generated' }, format: 'json' },
    customFetch: async (url: string, init?: RequestInit) => {
      const response = await fetch(url, init)
      const place = [init?.method ?? 'GET', new URL(url).pathname] as const
      problems.push(...(await problemsOf(otherEdition(), ...place, response.clone())))
      return response
    }
  })
  const call = async (operation: string, ...input: unknown[]): Promise<Body> =>
    (await controller[operation]!(...input)).data.Result

  const group = await call('createWorkspaceGroup', { cloud_provider_id: 'a', tier: 'premium' })
  t.equal(group.tier, 'premium')
  const id = group.workgroup_id as string
  const address = { cidr: '10.0.0.0/8', expires_in_days: 7 }
  await call('addAllowedIp', id, address)
  t.match(await call('listAllowedIPs', id), [address])

  const created = await call('createWorkspace', id, {
    acme_version: '5.0.0',
    workspace_type_name: 'ACME-0',
    auto_pause_minutes: 30,
    tier: 'free',
    promotion_code: 'hello'
  })
  t.match(created, { status: 'Creating', acme_version: '5.0.0', auto_pause_minutes: 30, tier: 'free' })
  await call('createWorkspace', id, {
    is_read_write: false,
    acme_database_id: created.database_id,
    solution_install_request: { solution_catalog_id: 'graph' }
  })
  const workspace = created.workspace_id as string
  const status = async () => (await call('getWorkspace', id, workspace)).status as string
  const settled = async () => {
    await box.clock.advance({ by: 'PT1H' })
    return status()
  }
  t.equal(await settled(), 'Paused', 'it was not used for 30 minutes')
  await call('updateWorkspace', id, workspace, { auto_pause_minutes: 0, deletion_protection: true })
  await call('resumeWorkspace', id, workspace)
  t.equal(await settled(), 'Ready')
  await call('pauseWorkspace', id, workspace)
  t.equal(await status(), 'Pausing')
  t.equal(await settled(), 'Paused')
  await call('resumeWorkspace', id, workspace)
  t.equal(await settled(), 'Ready')
  t.match(await call('getWorkspace', id, workspace), { tier: 'free', deletion_protection: true })

  await call('setBackupSchedule', id, workspace, { schedule: '0 * * * *', notify_email: 'a@example.com' })
  t.match(await call('getBackupSchedule', id, workspace), { notify_email: 'a@example.com' })
  await settled()
  const [backup] = await call('listBackups', workspace)
  t.equal(backup.status, 'Completed')
  await call('restoreBackup', id, workspace, { backup_id: backup.id })
  t.equal(await status(), 'Restoring')
  t.equal(await settled(), 'Ready')
  const schedule = { workspace_id: workspace, repeat: 'daily', time: '08:00', timezone: 'UTC' }
  await call('updateWorkspaceSchedule', id, workspace, schedule)
  t.match(await call('listSchedules', id, workspace), [schedule])

  t.ok((await users['listOrgUsers']!()).data.length > 0)
  t.match(await call('getMetadata'), { acmeVersions: [{ name: '5.0.0' }, { name: '4.2.1' }] })
  t.ok((await call('getOwnOrg')).org_id, 'a stub')
  await call('deleteWorkspace', id, workspace)
  t.equal(await status(), 'Deleting')
  t.match(await settled().catch((refused: unknown) => refused), { status: 404 })

  t.strictSame(problems, [], 'every reply is valid against the document')
})

/** The parts of a reply that a document does not describe. */
async function problemsOf(document: Body, method: string, path: string, response: Response): Promise<string[]> {
  const where = `${method} ${path} ${response.status}`
  const [, item] = Object.entries<Body>(document.paths as object).find(([template]) => isAt(template, path)) ?? []
  const responses = item?.[method.toLowerCase()]?.responses
  const described = responses?.[response.status] ?? responses?.['default']
  if (described === undefined) return [`${where} is not in the document`]
  if (described.schema === undefined) return []
  const formats = { date: true, 'date-time': true, email: true } as const
  const validate = new Ajv2019({ strict: false, allErrors: true, verbose: true, formats }).compile({
    ...described.schema,
    definitions: document.definitions,
    unevaluatedProperties: false
  })
  if (validate(await response.json())) return []
  return (
    (validate.errors ?? [])
      // Swagger 2 cannot describe nullable fields, and a document may omit a field that is always null.
      .filter(({ params, data }) => data !== null && !isNull(data, params['unevaluatedProperty']))
      .map(
        ({ instancePath, message, params }) => `${where}: ${instancePath} ${message ?? ''} ${JSON.stringify(params)}`
      )
  )
}

const isNull = (reply: unknown, field: unknown) =>
  typeof field === 'string' && (reply as Record<string, unknown>)[field] === null

/** Whether a path matches a template with parameters in braces. */
function isAt(template: string, path: string): boolean {
  const parts = path.split('/')
  const names = template.split('/')
  return names.length === parts.length && names.every((name, index) => name.startsWith('{') || name === parts[index])
}
