import { existsSync } from 'node:fs'
import t from 'tap'
import { read } from './doc-parts.js'
import { allPackages, isFree, runtimePackages } from './packages.js'

const ROOT = new URL('../', import.meta.url)

void t.test('every package that comes along has a licence that lets anybody use it', async (t) => {
  t.not(runtimePackages().length, 0)
  for (const { path, license } of runtimePackages()) {
    t.ok(isFree(license), `${path}: ${license}`)
    t.equal(
      (JSON.parse(read(`${path}/package.json`)) as { license?: string }).license,
      license,
      `${path} says so itself`
    )
  }
})

void t.test('licences that ask for more than a notice are refused, and so is none', async (t) => {
  for (const license of [
    'MIT',
    '(MIT OR WTFPL)',
    '(BSD-2-Clause OR MIT OR Apache-2.0)',
    'MIT AND ISC',
    'GPL-3.0-only OR MIT'
  ])
    t.ok(isFree(license), license)
  for (const license of [
    undefined,
    '',
    'UNLICENSED',
    'GPL-3.0-only',
    'MIT AND GPL-3.0-only',
    'SEE LICENSE IN LICENSE.md'
  ])
    t.notOk(isFree(license), String(license))
})

void t.test('no package runs a script when it is installed, but the one that brings SQLite', async (t) => {
  const withScript = allPackages()
    .filter(({ hasInstallScript }) => hasInstallScript)
    .map(({ name }) => name)
  t.strictSame(withScript, ['better-sqlite3'])
  const { allowScripts } = JSON.parse(read('package.json')) as { allowScripts: Record<string, boolean> }
  t.strictSame(allowScripts, { 'better-sqlite3': true })
})

void t.test('the lockfile fixes the content of every package, and does not say from where it is loaded', async (t) => {
  for (const { path, integrity, resolved } of allPackages()) {
    t.match(integrity, /^sha512-[\w+/]{86}==$/, path)
    t.equal(resolved, undefined, path)
  }
})

void t.test('what comes along is installed as the lockfile says', async (t) => {
  for (const { path, version } of runtimePackages()) {
    t.ok(existsSync(new URL(`${path}/package.json`, ROOT)), path)
    t.equal((JSON.parse(read(`${path}/package.json`)) as { version: string }).version, version, path)
  }
})
