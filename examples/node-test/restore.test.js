// Tests how a client waits for a restore job, without waiting.
import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { startMock } from 'svc-mock'

const mock = await startMock()
after(() => mock.close())

const box = mock.sandbox()
await box.seed({
  clock: { mode: 'frozen', now: '2027-01-01T00:00:00Z' },
  workgroups: [{ id: 'main', workspaces: [{ id: 'writer', backups: [{ id: 'monday' }] }] }]
})
beforeEach(() => box.reset())

/**
 * The client under test. It restores a backup and waits for the job, with a `sleep` that a test can replace.
 */
async function restore(workspace, backup, sleep) {
  const call = async (method, path, body) => {
    const response = await fetch(`${box.url}/controller/v4/v2${path}`, {
      method,
      headers: { ...box.headers, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) })
    })
    const { Error: failed, Message: message, Result: result } = await response.json()
    if (failed) throw new Error(message)
    return result
  }
  const job = await call('POST', `/workgroups/main/workspaces/${workspace}/backups/restore`, { backup_id: backup })
  for (;;) {
    const { status, output } = await call('GET', `/workspaces/${workspace}/backups/${job}/status`)
    if (status === 'Succeeded') return
    if (status === 'Failed') throw new Error(output.trim().split('\n').at(-1))
    await sleep()
  }
}

test('it returns when the job has succeeded', async () => {
  await restore('writer', 'monday', () => box.clock.advance({ by: 'PT1S' }))
  await box.verify({ sequence: [{ operation: 'restoreBackup' }, { operation: 'getRestoreStatus' }] })
})

test('it says why the job has failed', async () => {
  await box.transitions.replace([{ transition: 'restore.run', outcome: 'fail', reason: 'The backup is damaged.' }])
  await assert.rejects(
    restore('writer', 'monday', () => box.clock.advance({ until: 'idle' })),
    { message: 'The backup is damaged.' }
  )
})
