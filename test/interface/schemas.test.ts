import { Type } from '@sinclair/typebox'
import t from 'tap'
import {
  assumed,
  knownFields,
  mark,
  replySchema,
  requestSchema,
  requestText,
  withRequired
} from '../../src/interface/schemas.js'

/** A schema as it is published. */
const published = (schema: object): unknown => JSON.parse(JSON.stringify(schema))

const fields = { name: Type.String(requestText), size: Type.Optional(Type.Integer()) }
const marked = {
  name: { type: 'string', minLength: 1, maxLength: 256, 'x-assumption': 'P-900' },
  size: { type: 'integer', 'x-assumption': 'P-900' }
}

void t.test(
  'schemas of requests and replies, and their fields, are marked with the id of what is assumed',
  async (t) => {
    t.strictSame(assumed('P-900'), { 'x-assumption': 'P-900' })
    t.strictSame(published(mark('P-900', fields)), marked)
    const described = {
      $id: 'Thing',
      description: 'A thing.',
      type: 'object',
      'x-assumption': 'P-900',
      properties: marked
    }
    t.strictSame(published(requestSchema('P-900', 'Thing', 'A thing.', fields)), { ...described, required: ['name'] })
    t.strictSame(published(replySchema('P-900', 'Thing', 'A thing.', fields)), described, 'a reply promises no field')
  }
)

void t.test('optional fields of a named schema can be made required', async (t) => {
  const Thing = requestSchema('P-900', 'Thing', 'A thing.', { name: Type.Optional(Type.String()) })
  t.strictSame(published(withRequired('P-901', Thing, ['name'])), {
    allOf: [{ $ref: 'Thing#' }, { type: 'object', required: ['name'], 'x-assumption': 'P-901' }]
  })
})

void t.test('of a value, only the fields that the schema names are kept', async (t) => {
  const sent = { size: 1, name: 'a', colour: 'red', toString: 'x' }
  t.strictSame(knownFields(Type.Object(fields), sent), { size: 1, name: 'a' })
})
