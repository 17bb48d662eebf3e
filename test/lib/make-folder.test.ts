import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { makeFolder } from '../../src/lib/make-folder.js'
import { temporaryFolder } from '../temporary.js'

void t.test('a folder is made with those above it, unless it exists', async (t) => {
  const folder = join(temporaryFolder(t), 'a/b/c')
  makeFolder(folder)
  makeFolder(folder)
  t.ok(statSync(folder).isDirectory())
})

void t.test('a folder that cannot be made is an error, not an endless loop', async (t) => {
  const file = join(temporaryFolder(t), 'file')
  writeFileSync(file, '')
  t.throws(() => makeFolder(file), { code: 'EEXIST' })
  t.throws(() => makeFolder(join(file, 'below')))
  if (existsSync('/proc/self')) t.throws(() => makeFolder('/proc/none/below'), { code: 'ENOENT' })
})
