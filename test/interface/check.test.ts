import { Type } from '@sinclair/typebox'
import t from 'tap'
import { check, schemaErrors } from '../../src/interface/check.js'
import { ServiceError } from '../../src/interface/errors.js'
import { id, nullable, strict, timestamp } from '../../src/lib/strict.js'

const Input = strict({
  name: id('The name.'),
  note: nullable(Type.String(), 'A note, if there is one.'),
  at: Type.Optional(timestamp('When it happens.'))
})

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

void t.test('valid input passes, and every invalid field is named', async (t) => {
  for (let times = 0; times < 2; times++) {
    t.strictSame(refused({ name: 'a', note: null }), [])
    t.strictSame(refused({ name: 'x'.repeat(256), note: 'n', at: '' }), [])
    t.strictSame(refused({ name: '', note: 5 }), [
      'name must be 1 to 256 characters long',
      'note must be a string, not a number'
    ])
    t.strictSame(refused({ name: 'x'.repeat(257), note: null }), ['name must be 1 to 256 characters long'])
  }
  t.strictSame(schemaErrors(Input, { note: null }), [{ field: 'name', reason: 'is required' }])
})

void t.test('a field that a strict schema does not name is refused', async (t) => {
  t.strictSame(refused({ name: 'a', note: null, colour: 'red' }), ['colour is not a field of this request'])
  t.match(strict({}, { minProperties: 2, description: 'd' }), {
    additionalProperties: false,
    minProperties: 2,
    description: 'd'
  })
})

void t.test('a value that a program passes by mistake, such as a promise, is refused by its type', async (t) => {
  for (const [value, name] of [
    [Promise.resolve({ name: 'a', note: null }), 'Promise'],
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
  t.strictSame(refused({ name: 'a', note: null }, others), ['name is taken', 'at is past'])
  t.strictSame(refused({ name: 5, note: null }, others), ['name must be a string, not a number', 'at is past'])
})
