import type { TSchema } from '@sinclair/typebox'
import t from 'tap'
import { schemaErrors } from '../../src/interface/check.js'
import {
  FaultRuleSchema,
  FaultSchema,
  FaultsRemovedSchema,
  FaultStateSchema
} from '../../src/sandboxes/fault-schemas.js'

const effect = { status: 503 }
const fieldsOf = (schema: TSchema, value: unknown) =>
  schemaErrors(schema, value)
    .map(({ field }) => field)
    .sort()

interface Node {
  readonly type?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Node>>
  readonly anyOf?: readonly Node[]
}

const isSentence = ({ description = '' }: Node) => /^\S.*\S\.$/.test(description)

/** The paths of the fields, and of their forms, that nothing is said about. An object may speak by its fields. */
function undescribed({ properties = {}, anyOf = [] }: Node, path: string): string[] {
  const named = Object.entries(properties).map(([name, node]) => ({ node, path: `${path}.${name}` }))
  const forms = anyOf.map((node, index) => ({ node, path: `${path}.${index}` }))
  return [
    ...named.filter(({ node }) => !isSentence(node)),
    ...forms.filter(({ node }) => node.type !== 'object' && !isSentence(node))
  ]
    .map(({ path }) => path)
    .concat([...named, ...forms].flatMap(({ node, path }) => undescribed(node, path)))
}

void t.test('every field of a rule is described', async (t) => {
  for (const [name, schema] of Object.entries({ FaultRuleSchema, FaultSchema, FaultStateSchema, FaultsRemovedSchema }))
    t.strictSame(undescribed(schema as Node, name), [])
  t.ok(isSentence(FaultRuleSchema))
})

void t.test('each phase and each reply that can be chosen is explained, and so is the limit of a delay', async (t) => {
  const { phase, effect } = FaultRuleSchema.properties
  const { reply, delay } = effect.properties
  for (const value of ['before', 'after-commit']) t.match(phase.description, `${value}: `)
  for (const value of ['drop', 'empty', 'cut']) t.match(reply.description, `${value}: `)
  t.match(delay.description, 'PT10M')
})

void t.test('a rule that is added has no id and has counted nothing', async (t) => {
  t.strictSame(fieldsOf(FaultRuleSchema, { effect }), [])
  t.strictSame(fieldsOf(FaultRuleSchema, { effect, id: 'fault-1', seen: 1, hits: 1 }), ['hits', 'id', 'seen'])
})

void t.test('a rule that is listed has both, and in a document they may be missing', async (t) => {
  const listed = { id: 'fault-1', after: 0, probability: 1, phase: 'before', effect, seen: 0, hits: 0 }
  for (const schema of [FaultSchema, FaultStateSchema]) {
    t.strictSame(fieldsOf(schema, listed), [])
    t.strictSame(fieldsOf(schema, { ...listed, id: 'x', seen: -1, hits: 0.5, more: 1 }), ['hits', 'id', 'more', 'seen'])
    for (const id of ['fault-0', 'xfault-1', 'fault-1x', ''])
      t.strictSame(fieldsOf(schema, { ...listed, id }), ['id'], id)
  }
  t.strictSame(fieldsOf(FaultSchema, { effect }), ['hits', 'id', 'seen'])
  t.strictSame(fieldsOf(FaultStateSchema, { effect }), [])
})
