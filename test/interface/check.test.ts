import { Type } from '@sinclair/typebox'
import t from 'tap'
import { check, schemaErrors } from '../../src/interface/check.js'
import { ServiceError } from '../../src/interface/errors.js'
import { strict } from '../../src/lib/strict.js'

const Input = strict({ name: Type.String(), at: Type.Optional(Type.String()) })

/** The fields that are refused. */
function refused(value: unknown, others?: { field: string; reason: string }[]): string[] {
  try {
    check(Input, value, others)
    return []
  } catch (error) {
    if (!(error instanceof ServiceError) || error.condition !== 'invalidBody') throw error
    return error.details.map(({ FieldName, Reason }) => `${FieldName} ${Reason}`)
  }
}

void t.test('a value that a program passes by mistake, such as a promise, is refused by its type', async (t) => {
  for (const [value, name] of [
    [Promise.resolve({ name: 'a' }), 'Promise'],
    [new Map(), 'Map'],
    [new Set(), 'Set'],
    [new Date(0), 'Date'],
    [new Uint8Array(1), 'Uint8Array']
  ] as const)
    t.strictSame(refused(value), [` must be an object, not a ${name}`])
  t.strictSame(schemaErrors(strict({}), { [Symbol.toStringTag]: 'Mapping' }), [])
})

void t.test('errors that a schema cannot detect are added, unless it already refuses that field', async (t) => {
  const others = [
    { field: 'name', reason: 'is taken' },
    { field: 'at', reason: 'is past' }
  ]
  t.strictSame(refused({ name: 'a' }, others), ['name is taken', 'at is past'])
  t.strictSame(refused({ name: 5 }, others), ['name must be a string, not a number', 'at is past'])
})
