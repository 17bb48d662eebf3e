import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { openDatabase } from '../../src/db/database.js'
import { RowHistory, undone } from '../../src/db/row-history.js'
import type { RawChange } from '../../src/db/row-watcher.js'
import { finish } from '../../src/lib/scheduler.js'
import { WATCHED_TABLES } from '../../src/resources/tables.js'

function open(t: Test) {
  const db = openDatabase(':memory:', WATCHED_TABLES)
  t.teardown(() => db.close())
  for (const key of [1, 2])
    db.prepare("INSERT INTO sandboxes (key, id, org_id, org_name, seed, draws) VALUES (?, ?, '', '', '', 0)").run(
      key,
      `${key}`
    )
  const group = db.prepare(
    `INSERT INTO workgroups (sandbox, id, name, creator, cloud_provider_id, platform, region, enable_allow_list)
       VALUES (?, ?, ?, '', '', '', '', 0)`
  )
  const address = db.prepare("INSERT INTO allowed_ips (sandbox, workgroup, id, cidr, note) VALUES (?, ?, ?, ?, '')")
  const event = db.prepare(
    "INSERT INTO due_events (sandbox, due, kind, resource, payload, request_id) VALUES (?, ?, 'k', 'r', '{}', 'q')"
  )
  const rename = db.prepare('UPDATE workgroups SET name = ? WHERE sandbox = ? AND id = ?')
  const postpone = db.prepare('UPDATE due_events SET due = ? WHERE sandbox = ? AND due = ?')
  const remove = db.prepare('DELETE FROM workgroups WHERE sandbox = ? AND id = ?')
  const fire = db.prepare('DELETE FROM due_events WHERE sandbox = ? AND due = ?')
  const lists = ['id, name FROM workgroups', 'id, cidr FROM allowed_ips', 'due FROM due_events'].map((list) =>
    db.prepare(`SELECT ${list} WHERE sandbox = ? ORDER BY rowid`)
  )
  const state = (sandbox: number) => JSON.stringify(lists.map((list) => list.all(sandbox)))
  const deeds: readonly ((sandbox: number, n: number) => void)[] = [
    (sandbox, n) => group.run(sandbox, `g${n}`, `name ${n}`),
    (sandbox, n) => address.run(sandbox, `g${n}`, `a${n}`, `${n}`),
    (sandbox, n) => event.run(sandbox, n),
    (sandbox, n) => rename.run(`other ${n}`, sandbox, `g${n}`),
    (sandbox, n) => postpone.run(n + 100, sandbox, n),
    (sandbox, n) => remove.run(sandbox, `g${n}`),
    (sandbox, n) => fire.run(sandbox, n)
  ]
  return { db, state, deeds, history: new RowHistory(db) }
}

const aDeed = fc.record({ deed: fc.nat(6), sandbox: fc.constantFrom(1, 2), n: fc.nat(4) })

void t.test('changes can be undone step by step, and repeated in an empty sandbox', async (t) => {
  fc.assert(
    fc.property(fc.array(aDeed, { minLength: 1, maxLength: 40 }), (life) => {
      const { db, state, deeds, history } = open(t)
      const first = history.list(1)
      const steps: { changes: RawChange[]; before: string; after: string }[] = []
      for (const { deed, sandbox, n } of life) {
        const changes: RawChange[] = []
        const before = state(1)
        try {
          db.watcher.watch(sandbox === 1 ? changes : undefined, () => db.atomic(() => deeds[deed]!(sandbox, n)))
        } catch {
          // The row exists already, or its parent does not.
        }
        steps.push({ changes, before, after: state(1) })
      }
      const other = state(2)
      const all = history.list(1)
      const changes = steps.toReversed().flatMap(({ changes }) => changes.toReversed())
      if (!isDeepStrictEqual(finish(undone(all, changes, db.watcher.shapes)), first)) return false
      db.prepare('BEGIN').run()
      db.prepare('PRAGMA defer_foreign_keys = ON').run()
      for (const { changes, before } of steps.toReversed()) {
        for (const change of changes.toReversed()) history.undo(change, 1)
        if (state(1) !== before) return false
      }
      for (const { changes, after } of steps) {
        for (const change of changes) history.redo(change[0], JSON.parse(change[1]), 1)
        if (state(1) !== after) return false
      }
      db.prepare('ROLLBACK').run()
      if (state(2) !== other) return false
      const replica = open(t)
      for (const change of all) replica.history.redo(change[0], JSON.parse(change[1]), 2)
      const isSame = replica.state(2) === state(1)
      replica.history.clear(2)
      return isSame && replica.history.list(2).length === 0
    }),
    { numRuns: 60 }
  )
})

void t.test('a change of the sandbox itself is ignored', async (t) => {
  const { db, history } = open(t)
  const changes: RawChange[] = []
  db.watcher.watch(changes, () => db.prepare('UPDATE sandboxes SET clock_base = 7 WHERE key = 1').run())
  t.equal(changes.length, 1)
  history.undo(changes[0]!, 1)
  t.equal(db.prepare('SELECT clock_base FROM sandboxes WHERE key = 1').pluck().get(), 7)
})
