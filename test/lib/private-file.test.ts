import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { writePrivate } from '../../src/lib/private-file.js'

void t.test('only its owner can read a private file, even if it replaces another one', (t) => {
  const path = join(t.testdir(), 'file')
  const [content, mode] = [() => readFileSync(path, 'utf8'), () => statSync(path).mode & 0o777]
  writeFileSync(path, 'an old and longer one', { mode: 0o644 })
  writePrivate(path, 'new')
  t.strictSame([content(), mode()], ['new', 0o600])
  t.throws(() => writePrivate(path, 'newer', 'wx'))
  t.equal(content(), 'new')
  writePrivate('/dev/null', 'a device keeps its mode')
  t.end()
})
