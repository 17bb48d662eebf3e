import Sqlite from 'better-sqlite3'
import t, { type Test } from 'tap'
import { buildMock, until } from '../helper.js'
import { holdWall } from '../wall.js'

/** A server whose probes of the database end when they are told to, and a wall clock that stands still. */
async function open(t: Test) {
  const { call, plane } = await buildMock(t)
  const wall = holdWall(t)
  const probes: { pass: () => void; fail: () => void }[] = []
  Object.assign(plane, {
    probe: () =>
      new Promise<void>((resolve, reject) => {
        probes.push({
          pass: resolve,
          fail: () => reject(new Sqlite.SqliteError('disk I/O error', 'SQLITE_IOERR'))
        })
      })
  })
  const ask = async () => (await call('GET', '/ready', { key: null, prefix: '/_mock' })).status
  /** Asks, and lets the probe pass, if there is one. @returns how many there were by then */
  const askAndPass = async () => {
    const before = probes.length
    const asked = ask()
    for (let i = 0; i < 3; i++) await new Promise(setImmediate)
    if (probes.length > before) probes.at(-1)!.pass()
    t.equal(await asked, 200)
    return probes.length
  }
  return { wall, probes, ask, askAndPass }
}

void t.test('a successful probe is reused for a second, also if the clock is set back', async (t) => {
  const { wall, askAndPass } = await open(t)
  t.equal(await askAndPass(), 1)
  wall.now += 999
  t.equal(await askAndPass(), 1)
  wall.now += 1
  t.equal(await askAndPass(), 2)
  wall.now -= 999
  t.equal(await askAndPass(), 2)
  wall.now -= 1
  t.equal(await askAndPass(), 3)
})

void t.test('simultaneous questions share a probe, and a question after a failure probes again', async (t) => {
  const { probes, ask, askAndPass } = await open(t)
  const asked = [ask(), ask(), ask()]
  await until(() => probes.length > 0)
  for (let i = 0; i < 3; i++) await new Promise(setImmediate)
  t.equal(probes.length, 1)
  probes[0]!.fail()
  t.strictSame(await Promise.all(asked), [503, 503, 503])
  t.equal(await askAndPass(), 2)
  t.equal(await askAndPass(), 2)
})

void t.test('a probe that fails late does not override a newer one', async (t) => {
  const { wall, probes, ask, askAndPass } = await open(t)
  const slow = ask()
  await until(() => probes.length === 1)
  wall.now += 1000
  t.equal(await askAndPass(), 2)
  probes[0]!.fail()
  t.equal(await slow, 503)
  t.equal(await askAndPass(), 2)
})
