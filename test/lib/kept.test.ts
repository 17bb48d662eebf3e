import t from 'tap'
import { kept } from '../../src/lib/kept.js'

void t.test('what could be made is made once, however many ask at once', async (t) => {
  let made = 0
  const get = kept(async () => ++made)
  t.strictSame(await Promise.all([get(), get()]), [1, 1])
  t.equal(await get(), 1)
})

void t.test('what could not be made is made again for the next who asks', async (t) => {
  let tries = 0
  const get = kept(async () => {
    if (++tries < 3) throw new Error(`try ${tries}`)
    return tries
  })
  const both = await Promise.allSettled([get(), get()])
  t.match(
    both,
    [{ reason: { message: 'try 1' } }, { reason: { message: 'try 1' } }],
    'who asks meanwhile gets the same'
  )
  await t.rejects(get(), { message: 'try 2' })
  t.equal(await get(), 3)
  t.equal(await get(), 3)
})
