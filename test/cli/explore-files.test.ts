import { linkSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { withExploration } from '../../src/cli/exploration.js'
import { readExploreRequest } from '../../src/cli/explore-arguments.js'
import { readPlanFile, readReportFile, ResultFolder } from '../../src/cli/explore-files.js'
import { UsageError } from '../../src/cli/usage.js'
import { certificateOf } from '../../src/explore/contract.js'
import { temporaryFolder } from '../temporary.js'
import { CALL } from './client-script.js'

void t.test('a finding is written with its plan, its recording and three reports', async (t) => {
  const folder = `${temporaryFolder(t)}/out`
  // It tries again without a look.
  const command = [process.execPath, '-e', `${CALL} create().catch(create)`]
  const request = readExploreRequest(['--only', 'lost', '--report', folder, '--', ...command], {})
  const titles: string[] = []
  const watcher = {
    signal: new AbortController().signal,
    onProgress: ({ title }: { readonly title: string }) => titles.push(title)
  }
  const results = new ResultFolder(folder)
  await withExploration(request, watcher, async (exploration) => {
    await exploration.all()
    await results.write(exploration, request)
    results.writeCertificate(
      certificateOf({ contract: 1, rules: [{ on: ['lost'], retry: 'must-not' }] }, exploration.trials)
    )
  })
  t.ok(titles.length > 0)
  const files = [
    'contract.html',
    'contract.json',
    'junit.xml',
    'plan-001.html',
    'plan-001.json',
    'plan-001.svcmock',
    'report.html',
    'report.json'
  ]
  t.strictSame(readdirSync(folder).sort(), files)
  t.match(await readPlanFile(`${folder}/plan-001.json`), { number: 1, command, finding: { kind: 'duplicate' } })
  t.match(await readReportFile(`${folder}/report.json`), { findings: [{ kind: 'duplicate', plan: 'plan-001.json' }] })
  const html = readFileSync(`${folder}/report.html`, 'utf8')
  t.match(html, 'href="plan-001.html"')
  t.notMatch(html, /<main>|src=|href="(?!plan-)|<script/, 'what a client sends is text, and nothing is loaded')
  t.match(html, '&lt;main&gt;')
  t.match(JSON.parse(readFileSync(`${folder}/contract.json`, 'utf8')), { kept: 0, broken: 1, unknown: 0 })
  t.match(readFileSync(`${folder}/contract.html`, 'utf8'), 'createWorkgroup &lt;main&gt; after lost')
  t.match(readFileSync(`${folder}/junit.xml`, 'utf8'), /tests="1" failures="1"[^]*<failure type="duplicate"/)

  const link = join(temporaryFolder(t), 'known.json')
  linkSync(`${folder}/report.json`, link)
  for (const baseline of [`${folder}/report.json`, link]) {
    const known = new Set((await readReportFile(baseline)).findings.map(({ id }) => id))
    await withExploration({ ...request, known }, watcher, async (exploration) => {
      await exploration.all()
      await new ResultFolder(folder).write(exploration, { ...request, baseline })
    })
    const stays = files.filter((file) => !file.startsWith('contract'))
    t.strictSame(readdirSync(folder).sort(), stays, 'a known finding that stays in the report keeps its plan')
  }
})

void t.test('files of other programs are not replaced, and old results do not stay', async (t) => {
  const folder = temporaryFolder(t)
  const write = (name: string, value: unknown) => writeFileSync(join(folder, name), JSON.stringify(value))
  const isRefused = (contract?: string) => t.throws(() => new ResultFolder(folder, contract), UsageError)
  write('junit.xml', '<testsuite/>')
  isRefused()
  write('report.json', { format: 1, tests: [] })
  isRefused()
  write('report.json', { format: 1, endings: {}, findings: [] })
  write('contract.json', { contract: 1, rules: [{ on: ['lost'], retry: 'may' }] })
  isRefused(join(folder, 'contract.json'))
  const command = [process.execPath, '-e', `${CALL} create()`]
  const request = readExploreRequest(['--only', 'dropped', '--report', folder, '--', ...command], {})
  const watcher = { signal: new AbortController().signal, onProgress: () => undefined }
  const results = new ResultFolder(folder)
  await withExploration(request, watcher, (exploration) => results.write(exploration, request))
  t.strictSame(readdirSync(folder).sort(), ['junit.xml', 'report.html', 'report.json'])
})
