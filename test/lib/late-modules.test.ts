import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { devNull } from 'node:os'
import t from 'tap'
import { loadLate } from '../../src/lib/late-modules.js'

const DESCRIPTORS = '/proc/self/fd'

/** How many descriptors lead to where those that are held lead to. */
function count(): number {
  return readdirSync(DESCRIPTORS).filter((name) => {
    try {
      return readlinkSync(`${DESCRIPTORS}/${name}`) === devNull
    } catch {
      // The descriptor that read the directory.
      return false
    }
  }).length
}

void t.test(
  'while a package is loaded, two file descriptors more are free, and then they are held again',
  { skip: existsSync(DESCRIPTORS) ? false : 'this system does not list descriptors' },
  async (t) => {
    const before = count()
    for (let times = 0; times < 2; times++) {
      t.equal(loadLate(count), before - 2)
      t.equal(count(), before)
    }
    t.throws(
      () =>
        loadLate(() => {
          throw new Error('no such package')
        }),
      { message: 'no such package' }
    )
    t.equal(count(), before, 'whatever becomes of the load')
  }
)

void t.test('what is loaded is given back', async (t) => {
  t.equal(
    loadLate(() => 'the package'),
    'the package'
  )
})
