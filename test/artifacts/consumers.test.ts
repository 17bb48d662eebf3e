import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { failingTests } from '../recording/failing-tests.js'
import { temporaryFolder } from '../temporary.js'
import { QUICK_COMPILER, ROOT, run } from './tools.js'

// Installs the package with package managers that run no install scripts, on other versions of Node, and for runners of
// tests.

/** For each supported major version, the oldest that package.json allows, or the newest. */
const NODES = ['20.19.0', '22.13.0', '24', '26']
/** Only one, because compiling the addon takes most of a minute. */
const WITH_ADDON = ['26']
/** Whether Node includes SQLite. */
const hasSqlite = (version: string) => !version.startsWith('20.')

const USE = `
  import { startMock } from 'svc-mock'
  const mock = await startMock()
  const { headers } = mock.sandbox()
  const body = JSON.stringify({ name: 'first', cloud_provider_id: 'account-1' })
  const url = mock.url + '/controller/v4/v2/workgroups'
  await fetch(url, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body })
  const { Result } = await (await fetch(url, { headers })).json()
  console.log(Result.map(({ name }) => name).join())
  await mock.close()`

/** How a project in CommonJS names its files. */
const EXTENSIONS = ['mjs', 'cjs', 'mts', 'ts']

const TS_JEST = {
  transform: { ts$: ['ts-jest', { useESM: true, diagnostics: false }] },
  extensionsToTreatAsEsm: ['.mts']
}
const JEST = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--runInBand', '--json']

/** Test runners: the arguments of Node, where `test` comes from unless it is global, and the count of passed tests. */
const RUNNERS: Readonly<
  Record<string, { args: readonly string[]; from?: string; extensions?: readonly string[]; passed: RegExp }>
> = {
  'node:test': { args: ['--test', '--test-reporter=tap'], from: 'node:test', passed: /^# pass 4$/m },
  tap: {
    args: ['node_modules/tap/dist/esm/run.mjs', '--disable-coverage', '--reporter=tap'],
    from: 'tap',
    passed: /^# \{ total: 4, pass: 4 \}$/m
  },
  Vitest: {
    args: ['node_modules/vitest/vitest.mjs', 'run', '--globals', '--reporter=tap-flat'],
    passed: /^1\.\.4$/m
  },
  'unconfigured Jest': { args: JEST, extensions: ['mjs', 'cjs'], passed: /"numPassedTests":2,/ },
  'Jest with ts-jest': {
    args: [...JEST, `--config=${JSON.stringify(TS_JEST)}`],
    extensions: ['mts', 'ts'],
    passed: /"numPassedTests":2,/
  }
}

/** A test that does not close its server. */
function testOfUser(extension: string, from: string | undefined): string {
  const load = (name: string, module: string) =>
    extension.startsWith('m') ? `import { ${name} } from '${module}'` : `const { ${name} } = require('${module}')`
  return `${load('startMock', 'svc-mock')}
    ${from === undefined ? '' : load('test', from)}
    test('a pause takes time, but not yours', async () => {
      const box = (await startMock()).sandbox()
      await box.seed({ clock: { mode: 'frozen' }, workgroups: [{ id: 'main', workspaces: [{ id: 'writer' }] }] })
      const writer${extension.endsWith('ts') ? ': object' : ''} = { workgroupID: 'main', workspaceID: 'writer' }
      await box.call('pauseWorkspace', writer)
      await box.clock.advance({ until: 'idle' })
      const { status } = await box.call('getWorkspace', writer)
      if (status !== 'Stopped') throw new Error(status)
    })`
}

/** The tests of the database, and calls of all operations. */
const OF_DATABASE = [
  'test/db/database.test.ts',
  'test/db/size.test.ts',
  'test/test-control/stale-reads.test.ts',
  'test/contract/contract.test.ts'
]

void t.test('installations of the package', { timeout: 900_000 }, async (t) => {
  const work = temporaryFolder(t)
  // Of the build that is there: test/artifacts/package.test.ts tests how the package builds itself.
  const filename = (await run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', work])).trim()
  const makeProject = (name: string, manifest: object = {}): string => {
    const project = join(work, name)
    mkdirSync(project)
    cpSync(join(work, filename), join(project, 'svc-mock.tgz'))
    writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, ...manifest }))
    writeFileSync(join(project, 'use.mjs'), USE)
    return project
  }
  const install = (cwd: string, ...args: string[]) =>
    run('npm', ['install', '--no-audit', '--no-fund', ...args], { cwd, minutes: 8 })
  const nodes = new Map<string, string>()
  for (const version of NODES) {
    const tools = makeProject(`node-${version}`)
    const name = `node-${process.platform}-${process.arch}`
    await install(tools, '--silent', `${name}@${version}`)
    nodes.set(version, join(tools, 'node_modules', name))
  }
  const nodeOf = (version: string) => join(nodes.get(version)!, 'bin/node')
  const envOf = (version: string) => ({
    // Debian's Node trusts the machine's certificate authorities; others need this.
    NODE_EXTRA_CA_CERTS: '/etc/ssl/certs/ca-certificates.crt',
    PATH: `${nodes.get(version)!}/bin:${process.env['PATH'] ?? ''}`
  })
  /** The output of the example, or its error. */
  const use = (version: string, project: string) =>
    run(nodeOf(version), ['use.mjs'], { cwd: project }).catch((error: unknown) => (error as Error).message)

  await t.test('pnpm, Yarn and Bun run no install script, and need none if Node has SQLite', async (t) => {
    const tools = makeProject('managers')
    // The package `bun` only fetches this one.
    const bun = `@oven/bun-${process.platform}-${process.arch}`
    await install(tools, '--silent', '--force', 'pnpm@10', '@yarnpkg/cli-dist@4', bun)
    const bin = join(tools, 'node_modules/.bin')
    const managers: Record<string, string[]> = {
      pnpm: [join(bin, 'pnpm'), 'add', './svc-mock.tgz'],
      yarn: [join(bin, 'yarn'), 'add', 'svc-mock@file:./svc-mock.tgz'],
      bun: [join(tools, 'node_modules', bun, 'bin/bun'), 'add', './svc-mock.tgz']
    }
    for (const [name, [command = '', ...args]] of Object.entries(managers)) {
      for (const version of ['20.19.0', '22.13.0', '24']) {
        const project = makeProject(`with-${name}-${version}`)
        // Yarn needs both to treat a folder as a project.
        writeFileSync(join(project, 'yarn.lock'), '')
        writeFileSync(join(project, '.yarnrc.yml'), 'nodeLinker: node-modules\nenableScripts: false\n')
        await run(command, args, { cwd: project, env: envOf(version), minutes: 8 })
        const expected = hasSqlite(version) ? /^first\n$/ : /DatabaseError: .*; (run|install) .*, or use Node 22\.13/
        t.match(await use(version, project), expected, `${name}, Node ${version}`)
      }
    }
  })

  for (const version of NODES) {
    await t.test(`Node ${version} is one of those that the package supports, and all that it installs`, async (t) => {
      t.match(await run(nodeOf(version), ['--version']), new RegExp(`^v${version.replaceAll('.', '\\.')}`))
      const project = makeProject(`on-${version}`)
      // Fails if a package does not support this Node.
      const options = ['--engine-strict', '--ignore-scripts', '--no-audit', '--no-fund', './svc-mock.tgz']
      await run('npm', ['install', ...options], { cwd: project, env: envOf(version), minutes: 8 })
      const without = await use(version, project)
      if (hasSqlite(version)) t.equal(without, 'first\n', 'without the addon')
      else t.match(without, /DatabaseError: .*; run 'npm rebuild better-sqlite3'/, 'it gets that far')
      if (!WITH_ADDON.includes(version)) return
      const env = { ...envOf(version), ...QUICK_COMPILER, npm_config_nodedir: nodes.get(version)! }
      await run('npm', ['rebuild', 'better-sqlite3'], { cwd: project, env, minutes: 8 })
      t.equal(await use(version, project), 'first\n', 'with the addon')
    })
  }

  await t.test('test runners run a test from modules of each kind, and end although it closes no server', async (t) => {
    const project = makeProject('runners', { type: 'commonjs' })
    await install(project, '--silent', '--ignore-scripts', 'jest@30', 'ts-jest@29', 'vitest@5', './svc-mock.tgz')
    symlinkSync(join(ROOT, 'node_modules/tap'), join(project, 'node_modules/tap'))
    for (const [name, { args, from, extensions = EXTENSIONS, passed }] of Object.entries(RUNNERS)) {
      const folder = name.replaceAll(/\W/g, '-')
      mkdirSync(join(project, folder))
      const files = extensions.map((extension) => {
        const file = `${folder}/use.test.${extension}`
        writeFileSync(join(project, file), testOfUser(extension, from))
        return file
      })
      t.match(await run(nodeOf('24'), [...args, ...files], { cwd: project, env: envOf('24') }), passed, name)
    }
    cpSync('examples/jest', join(project, 'example'), { recursive: true })
    const withoutFlag = [...JEST.slice(1), 'example', 'unconfigured-Jest/use.test.cjs']
    t.match(
      await run(nodeOf('22.13.0'), withoutFlag, { cwd: project, env: envOf('22.13.0') }),
      /"numPassedTests":2,/,
      'examples/jest, and one that closes no server, without a flag'
    )
    const vitest = async (folder: string) =>
      run(nodeOf('24'), ['../node_modules/vitest/vitest.mjs', 'run'], { cwd: join(project, folder), env: envOf('24') })
    cpSync('examples/vitest', join(project, 'of-vitest'), { recursive: true })
    t.match(await vitest('of-vitest'), /2 passed/, 'examples/vitest')
    mkdirSync(join(project, 'failing'))
    const imports = "import { afterAll, test } from 'vitest'"
    writeFileSync(join(project, 'failing/a.test.mjs'), failingTests(imports, 'test', 'afterAll'))
    await t.rejects(vitest('failing'), /2 failed/)
    const recordings = readdirSync(join(project, 'failing/recordings')).sort()
    t.strictSame(recordings, ['fails-alone.svcmock', 'fails-at-a-line.svcmock'], 'recordings of Vitest, on failure')
  })

  await t.test('all module resolutions find both entries and their types', async (t) => {
    const project = makeProject('lint')
    await install(project, '--silent', '--ignore-scripts', '@arethetypeswrong/cli', 'publint')
    const bin = join(project, 'node_modules/.bin')
    // They exit with an error if they find a problem.
    t.match(
      await run(join(bin, 'attw'), ['svc-mock.tgz', '--format', 'ascii', '--no-color'], { cwd: project }),
      'No problems'
    )
    t.match(await run(join(bin, 'publint'), ['svc-mock.tgz', '--strict'], { cwd: project }), 'All good')
  })

  await t.test('if the addon cannot be compiled, npm omits it', async (t) => {
    const project = makeProject('no-compiler')
    const env = { ...envOf('22.13.0'), npm_config_build_from_source: 'true', CC: '/none', CXX: '/none' }
    await run('npm', ['install', '--no-audit', '--no-fund', './svc-mock.tgz'], { cwd: project, env, minutes: 8 })
    t.notOk(existsSync(join(project, 'node_modules/better-sqlite3')))
    for (const version of ['22.13.0', '24']) t.equal(await use(version, project), 'first\n')
    t.match(await use('20.19.0', project), /DatabaseError: .* is not installed, .*, or use Node 22\.13/)
    // It tells which it uses, before it finds that it cannot listen on an address of documents.
    const serve = ['node_modules/svc-mock/dist/cli/main.js', 'serve', '--db', ':memory:', '--host', '203.0.113.1']
    await t.rejects(run(nodeOf('22.13.0'), serve, { cwd: project }), /Node's own SQLite: .* is not installed/)
  })

  await t.test("the database works the same with Node's own SQLite", async (t) => {
    // The addon of the checkout is for the Node of this process.
    const tap = ['node_modules/tap/dist/esm/run.mjs', '--disable-coverage', '--reporter=tap', ...OF_DATABASE]
    const output = await run(nodeOf('22.13.0'), tap, { env: envOf('22.13.0'), minutes: 5 })
    t.match(output, /^# \{ total: \d{3,}, pass: \d{3,} \}$/m)
  })
})
