import Sqlite from 'better-sqlite3'
import t from 'tap'
import { buildMock } from '../helper.js'

void t.test('the server is not ready while it cannot write to the database', async (t) => {
  const { call, plane } = await buildMock(t)
  const { probe } = plane
  const ask = async () => (await call('GET', '/ready', { key: null, prefix: '/_mock' })).status
  plane.probe = () => Promise.reject(new Sqlite.SqliteError('disk I/O error', 'SQLITE_IOERR'))
  t.equal(await ask(), 503)
  plane.probe = probe
  t.equal(await ask(), 200)
})
