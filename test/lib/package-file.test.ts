import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { packageFile } from '../../src/lib/package-file.js'
import { VERSION } from '../../src/lib/version.js'

void t.test('files and directories of the package are found, and its version', async (t) => {
  t.ok(readdirSync(packageFile('migrations/')).some((name) => name.endsWith('.sql')))
  const { name, version } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as Record<string, string>
  t.equal(name, 'svc-mock')
  t.equal(VERSION, version)
})
