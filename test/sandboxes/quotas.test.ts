import t from 'tap'
import { messageOf } from '../messages.js'
import { openStores } from './stores.js'

void t.test('a quota lets in as many as it says, and counts only if there is one', async (t) => {
  const { quotas, add } = openStores(t)
  const [a, b] = [add('a'), add('b')]
  t.strictSame(quotas.list(a), {
    rw_workspaces: null,
    ro_workspaces: null,
    manual_backups: null,
    automatic_backups: null
  })
  const check = (key: number, count: number) => quotas.check(key, 'ro_workspaces', () => count)
  const unasked = () => {
    quotas.check(a, 'ro_workspaces', () => {
      throw new Error('nobody needs to know')
    })
  }
  unasked()
  quotas.set(a, 'ro_workspaces', 5)
  quotas.set(a, 'ro_workspaces', 2)
  t.match(quotas.list(a), { rw_workspaces: null, ro_workspaces: 2 })
  check(a, 1)
  const message = messageOf('quotaExceeded', 'quota', { quota: 'ro_workspaces', maximum: 2 })
  for (const count of [2, 3])
    t.throws(() => check(a, count), { name: 'ServiceError', condition: 'quotaExceeded', message })
  check(b, 100)
  quotas.set(a, 'ro_workspaces', 0)
  t.throws(() => check(a, 0), { name: 'ServiceError', condition: 'quotaExceeded' })
  quotas.set(a, 'ro_workspaces', null)
  t.equal(quotas.list(a).ro_workspaces, null)
  unasked()
})
