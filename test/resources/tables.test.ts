import t from 'tap'
import { openDatabase } from '../../src/db/database.js'
import { type Columns, Table, type TableShape } from '../../src/db/table.js'
import { RESOURCE_TABLES } from '../../src/resources/tables.js'
import { sandboxStore } from '../../src/sandboxes/store.js'
import { WALL_CLOCK } from '../../src/sim/clock.js'

// Foreign keys are off, so that each table can be tested alone.

type Row = Record<string, unknown>

const camelCase = (name: string) => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** A value of each type, different for each number. */
function valueOf({ type }: Columns[string], name: string, number: number): unknown {
  const schema = type as { type?: string; enum?: string[] }
  if (schema.enum !== undefined) return schema.enum[number % schema.enum.length]
  if (name === 'enabled' || schema.type === 'boolean') return number % 2 === 0
  if (schema.type === 'integer') return number
  if (schema.type === 'array') return [`${name}-${number}`]
  if (schema.type === 'object') return { [name]: number }
  return `${name}-${number}`
}

for (const shape of RESOURCE_TABLES as readonly TableShape[]) {
  void t.test(`rows of ${shape.name}`, async (t) => {
    const db = openDatabase(':memory:')
    t.teardown(() => db.close())
    db.prepare('PRAGMA foreign_keys = OFF').run()
    const sandboxes = sandboxStore(db)
    const [one = 0, other = 0] = ['one', 'other'].map(
      (id) =>
        sandboxes.insert(
          { id, orgId: 'o', orgName: 'Org', random: { seed: '0', draws: 0 }, clock: WALL_CLOCK, expires: null },
          0
        ).key
    )
    const stored = Object.entries(shape.fields).filter(([, { type, from }]) => type !== undefined && from === undefined)
    const record = (number: number) =>
      Object.fromEntries(stored.map(([name, column]) => [camelCase(name), valueOf(column, name, number)])) as never
    const table = new Table(db, { name: shape.name, key: shape.key, fields: Object.fromEntries(stored) })
    const [insert, save, list] = [table.inserter(), table.saver(), table.lister()]
    const find = table.finder(...shape.key)
    const keyOf = (row: Row) => shape.key.map((name) => row[camelCase(name)] as never)

    await t.test('are read as inserted, in order of creation', async (t) => {
      for (const number of [3, 1, 2]) insert(one, record(number))
      t.strictSame(list(one), [record(3), record(1), record(2)])
      t.strictSame(list(other), [])
      t.strictSame(find(one, ...keyOf(record(1))), record(1))
      t.equal(find(other, ...keyOf(record(1))), undefined)
    })

    await t.test('are saved only in their sandbox, without fixed columns', async (t) => {
      insert(other, record(1))
      const isKept = (name: string) => shape.fields[name]!.isFixed === true || shape.key.includes(name)
      const kept = Object.fromEntries(
        Object.entries(record(1) as Row).filter(([name]) =>
          stored.some(([column]) => camelCase(column) === name && isKept(column))
        )
      )
      const key = Object.fromEntries(shape.key.map((name) => [camelCase(name), (record(1) as Row)[camelCase(name)]]))
      save(one, { ...(record(4) as Row), ...key })
      t.strictSame(find(one, ...keyOf(record(1))), { ...(record(4) as Row), ...kept })
      t.strictSame(find(other, ...keyOf(record(1))), record(1))
      t.strictSame(list(one).length, 3)
    })

    await t.test('have every column of the table', async (t) => {
      const columns = db.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck().all(shape.name)
      t.strictSame(new Set(columns), new Set(['sandbox', ...stored.map(([name]) => name)]))
    })
  })
}
