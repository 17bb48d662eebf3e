import t from 'tap'
import { kept } from '../../src/lib/kept.js'

void t.test('a value is made once, even for concurrent callers', async (t) => {
  let made = 0
  const get = kept(async () => ++made)
  t.strictSame(await Promise.all([get(), get()]), [1, 1])
  t.equal(await get(), 1)
})

void t.test('after a failure, the next caller tries again', async (t) => {
  let tries = 0
  const get = kept(async () => {
    if (++tries < 3) throw new Error(`try ${tries}`)
    return tries
  })
  const both = await Promise.allSettled([get(), get()])
  t.match(both, [{ reason: { message: 'try 1' } }, { reason: { message: 'try 1' } }], 'concurrent callers share it')
  await t.rejects(get(), { message: 'try 2' })
  t.equal(await get(), 3)
  t.equal(await get(), 3)
})
