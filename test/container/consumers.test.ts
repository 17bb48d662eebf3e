import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { pack, run } from './tools.js'

// The package as others install it: by a package manager that runs no install scripts, and on other versions of Node.

/** One of each line that is supported: the oldest that package.json allows, or the newest. */
const NODES = ['20.19.0', '22.13.0', '24', '26']
/** Those that no other test runs the server with: to compile the addon takes most of a minute for each. */
const WITH_ADDON = ['22.13.0', '26']

const USE = `
  import { startMock } from 'svc-mock'
  const mock = await startMock()
  console.log((await fetch(mock.url + '/_mock/ready')).status)
  await mock.close()`

void t.test('those who install the package', { timeout: 900_000 }, async (t) => {
  const work = mkdtempSync(join(tmpdir(), 'svc-mock-consumers-'))
  t.teardown(() => {
    rmSync(work, { recursive: true, force: true })
  })
  const { filename } = await pack(work)
  /** Makes a project that has the package beside it. */
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

  await t.test('pnpm runs no install script: the error has the command that mends it, and then it works', async (t) => {
    const tools = makeProject('pnpm')
    await install(tools, '--silent', 'pnpm@10')
    const project = makeProject('with-pnpm')
    const pnpm = (...args: string[]) =>
      run(process.execPath, [join(tools, 'node_modules/pnpm/bin/pnpm.cjs'), ...args], { cwd: project, minutes: 8 })
    await pnpm('add', './svc-mock.tgz')
    const error = await run(process.execPath, ['use.mjs'], { cwd: project }).catch((error: unknown) => error)
    t.match((error as Error).message, /DatabaseError: .*; run 'pnpm approve-builds && pnpm rebuild better-sqlite3'/)
    // What the first command writes, which asks at a terminal.
    writeFileSync(join(project, 'pnpm-workspace.yaml'), 'onlyBuiltDependencies: [better-sqlite3]\n')
    await pnpm('rebuild', 'better-sqlite3')
    t.equal(await run(process.execPath, ['use.mjs'], { cwd: project }), '200\n')
  })

  for (const version of NODES) {
    await t.test(`Node ${version} is one of those that the package supports, and all that it installs`, async (t) => {
      const tools = makeProject(`node-${version}`)
      const name = `node-${process.platform}-${process.arch}`
      await install(tools, '--silent', `${name}@${version}`)
      const node = join(tools, 'node_modules', name, 'bin')
      t.match(await run(join(node, 'node'), ['--version']), new RegExp(`^v${version.replaceAll('.', '\\.')}`))
      const project = makeProject(`on-${version}`)
      // Debian's Node trusts the authorities of the machine; others have to be told.
      const env = {
        NODE_EXTRA_CA_CERTS: '/etc/ssl/certs/ca-certificates.crt',
        PATH: `${node}:${process.env['PATH'] ?? ''}`
      }
      // It fails if a package is not for this Node.
      const options = ['--engine-strict', '--ignore-scripts', '--no-audit', '--no-fund', './svc-mock.tgz']
      await run('npm', ['install', ...options], { cwd: project, env, minutes: 8 })
      const problem = await run(join(node, 'node'), ['use.mjs'], { cwd: project }).catch((error: unknown) => error)
      t.match((problem as Error).message, /DatabaseError: .*; run 'npm rebuild better-sqlite3'/, 'it gets that far')
      if (!WITH_ADDON.includes(version)) return
      const build = { npm_config_nodedir: join(tools, 'node_modules', name), CFLAGS: '-O0', CXXFLAGS: '-O0' }
      await run('npm', ['rebuild', 'better-sqlite3'], { cwd: project, env: { ...env, ...build }, minutes: 8 })
      t.equal(await run(join(node, 'node'), ['use.mjs'], { cwd: project }), '200\n')
    })
  }
})
