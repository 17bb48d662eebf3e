import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { read } from './doc-parts.js'
import type { Body } from './helper.js'
import { lacks } from './programs.js'

const ROOT = new URL('../', import.meta.url)

const manifest: Body = JSON.parse(read('package.json'))
const address = (manifest.repository.url as string).replace(/^git\+/, '').replace(/\.git$/, '')

const hosted = readdirSync(new URL('.github/', ROOT), { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.\w+$/.test(path))
  .map((path) => `.github/${path.replaceAll('\\', '/')}`)

void t.test('package.json has one address, and no file has another one', async (t) => {
  t.match(address, /^https:\/\/[\w.-]+\/[\w.-]+\/svc-mock$/)
  t.match(manifest.repository, { type: 'git', url: `git+${address}.git` })
  t.equal(manifest.homepage, `${address}#readme`)
  t.equal(manifest.bugs, `${address}/issues`)
  const files = [
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'server.json',
    'clients/python/pyproject.toml',
    'clients/testcontainers/package.json',
    ...hosted
  ]
  t.ok(files.includes('.github/workflows/release.yml'))
  const found = files.flatMap((file) =>
    [...read(file).matchAll(/https:\/\/[\w.-]+\/[\w.-]+\/svc-mock\b/g)].map(([other]) => `${file}: ${other}`)
  )
  t.not(found.length, 0)
  const elsewhere = found.filter((place) => !place.endsWith(`: ${address}`))
  t.strictSame(elsewhere, [])
})

void t.test('server.json, for the registry of the Model Context Protocol, is about the package', async (t) => {
  const { name, version, packages } = JSON.parse(read('server.json')) as Record<string, unknown>
  t.strictSame([name, version], [manifest.mcpName, manifest.version])
  t.match(packages, [{ registryType: 'npm', identifier: manifest.name, version: manifest.version }])
})

void t.test('the clients for Python and Testcontainers have the version of package.json', async (t) => {
  t.match(read('clients/python/pyproject.toml'), `\nversion = "${manifest.version}"\n`)
  t.match(JSON.parse(read('clients/testcontainers/package.json')), { version: manifest.version })
})

void t.test('the newest version in CHANGELOG.md is that of package.json, with its date once released', async (t) => {
  const [line = '', version, date] = /^## (\d\S*) \((unreleased|\d{4}-\d\d-\d\d)\)$/m.exec(read('CHANGELOG.md')) ?? []
  t.equal(version, manifest.version, line)
  t.ok(date === 'unreleased' || Number.isFinite(Date.parse(date!)), line)
})

void t.test('a checkout on Windows can build the image, whose scripts need LF', { skip: lacks('git') }, async (t) => {
  const folder = t.testdir({ '.gitattributes': read('.gitattributes'), healthy: read('docker/healthy') })
  // A hook's variables would lead to the repository of the hook.
  const options = { cwd: folder, env: { PATH: process.env['PATH'] } }
  const git = (...args: string[]) => execFileSync('git', ['-c', 'core.autocrlf=true', ...args], options)
  git('init', '--quiet')
  git('add', '.')
  rmSync(join(folder, 'healthy'))
  git('checkout', '--quiet', '.')
  t.equal(readFileSync(join(folder, 'healthy'), 'utf8'), read('docker/healthy'))
})
