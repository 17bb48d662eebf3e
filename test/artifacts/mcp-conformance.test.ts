import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startMock } from '../../src/node/index.js'
import type { Body } from '../helper.js'
import { temporaryFolder } from '../temporary.js'
import { run } from './tools.js'

// The conformance suite of the Model Context Protocol. Its other scenarios need tools of its own server, or
// features that this one does not declare.

/** The first release for the newest revision. */
const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12'
/** It needs a newer Node than this project. */
const NODE = `node-${process.platform}-${process.arch}`

const SCENARIOS: Readonly<Record<string, readonly string[]>> = {
  '2025-11-25': [
    'server-initialize',
    'ping',
    'tools-list',
    'resources-list',
    'prompts-list',
    'dns-rebinding-protection'
  ],
  '2026-07-28': [
    'server-stateless',
    'tools-list',
    'resources-list',
    'prompts-list',
    'sep-2164-resource-not-found',
    'caching',
    'http-header-validation',
    'server-sse-multiple-streams',
    'input-required-result-unsupported-methods',
    'dns-rebinding-protection'
  ]
}

/** The server has no changes to listen to. */
const NO_STREAMS = ['sep-2575-server-sends-subscription-ack', 'sep-2575-server-tags-subscription-id']

void t.test('the conformance suite of the Model Context Protocol', { timeout: 600_000 }, async (t) => {
  const work = temporaryFolder(t)
  writeFileSync(join(work, 'package.json'), '{"private":true}')
  await run('npm', ['install', '--silent', '--no-audit', '--no-fund', SUITE, `${NODE}@22`], { cwd: work, minutes: 8 })
  await using mock = await startMock()

  for (const [revision, scenarios] of Object.entries(SCENARIOS))
    for (const scenario of scenarios)
      await t.test(`${revision}: ${scenario}`, async (t) => {
        const results = join(work, revision, scenario)
        const suite = join(work, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
        const where = ['--url', `${mock.url}/_mock/mcp`, '--output-dir', results]
        const what = ['--scenario', scenario, '--spec-version', revision]
        // It also fails if it cannot test something.
        await run(join(work, 'node_modules', NODE, 'bin/node'), [suite, 'server', ...where, ...what]).catch(() => '')
        const [folder] = readdirSync(results)
        const checks = JSON.parse(readFileSync(join(results, folder!, 'checks.json'), 'utf8')) as Body[]
        const failed = checks.filter(
          ({ id, status, errorMessage = '' }) =>
            status === 'FAILURE' && !String(errorMessage).startsWith('Not testable') && !NO_STREAMS.includes(id)
        )
        t.strictSame(failed, [])
        t.ok(
          checks.some(({ status }) => status === 'SUCCESS'),
          'something was checked'
        )
      })
})
