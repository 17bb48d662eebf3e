import t from 'tap'
import { read } from './doc-parts.js'
import { allPackages, isFree, runtimePackages } from './packages.js'

void t.test('every dependency has a permissive licence', async (t) => {
  t.not(runtimePackages().length, 0)
  for (const { path, license } of runtimePackages()) {
    t.ok(isFree(license), `${path}: ${license}`)
    const own = (JSON.parse(read(`${path}/package.json`)) as { license?: string }).license
    t.equal(own, license, `${path} says so itself`)
  }
})

void t.test('no package but better-sqlite3 runs a script when it is installed', async (t) => {
  const withScript = allPackages()
    .filter(({ hasInstallScript }) => hasInstallScript)
    .map(({ name }) => name)
  t.strictSame(withScript, ['better-sqlite3'])
  const { allowScripts } = JSON.parse(read('package.json')) as { allowScripts: Record<string, boolean> }
  t.strictSame(allowScripts, { 'better-sqlite3': true })
})

void t.test('the lockfile pins the content of every package, but not its source', async (t) => {
  for (const { path, integrity, resolved } of allPackages()) {
    t.match(integrity, /^sha512-[\w+/]{86}==$/, path)
    t.equal(resolved, undefined, path)
  }
})
