import t from 'tap'
import { CALLS } from '../../src/test-control/calls.js'
import { type Body, buildMock } from '../helper.js'
import type { Schema } from '../json-schema.js'
import { oneOf, type Reason, reasonOf, wrongType } from '../messages.js'

/** A part of a body or a query that its schema does not allow, with the field at fault. */
type Violation = readonly [value: unknown, field: string, reason: Reason]

function* violationsOf(given: Schema, field = ''): Generator<Violation> {
  const [schema = given] = given.anyOf ?? []
  const { type, enum: words, properties = {}, additionalProperties, items, minimum, exclusiveMinimum, maximum } = schema
  const { minLength = 0, maxLength = Infinity } = schema
  const below = (name: string) => (field === '' ? name : `${field}.${name}`)
  if (words !== undefined) yield ['nothing', field, oneOf(...words)]
  else if (type === 'string') yield [5, field, wrongType('string', 'number')]
  if (type === 'boolean') yield ['yes', field, wrongType('boolean', 'string')]
  if (type === 'integer') yield [0.5, field, wrongType('integer', 'fraction')]
  if (type === 'number' && schema.const === undefined) yield ['many', field, wrongType('number', 'string')]
  if (minimum !== undefined) yield [minimum - 1, field, ['atLeast', { limit: minimum }]]
  if (exclusiveMinimum !== undefined) yield [exclusiveMinimum, field, ['moreThan', { limit: exclusiveMinimum }]]
  if (maximum !== undefined && type === 'number') yield [maximum + 1, field, ['atMost', { limit: maximum }]]
  if (minLength > 0) yield ['', field, ['length', { min: minLength, max: maxLength }]]
  if (maxLength < 1e6) yield ['x'.repeat(maxLength + 1), field, ['length', { min: minLength, max: maxLength }]]
  if (items !== undefined) {
    yield [{}, field, wrongType('array', 'object')]
    for (const [value, inner, reason] of violationsOf(items, below('0'))) yield [[value], inner, reason]
  }
  if (type === 'object' && field !== '') yield [null, field, wrongType('object', 'null')]
  if (additionalProperties === false) yield [{ other: 1 }, below('other'), 'unknown']
  for (const name of schema.required ?? []) yield [{}, below(name), 'required']
  for (const [name, property] of Object.entries(properties))
    for (const [value, inner, reason] of violationsOf(property, below(name))) yield [{ [name]: value }, inner, reason]
}

const NOTHING = { additionalProperties: false }

const mock = await buildMock(t, { controlToken: 'let-me-in' })

for (const { name, method, path, query, body, isBodyOptional = false, streamType } of CALLS) {
  if (streamType !== undefined) continue
  void t.test(`${name} refuses what its schemas do not allow, and names the field`, async (t) => {
    const refused = async ([value, field, reason]: Violation, isQuery: boolean) => {
      const search = isQuery ? `?${new URLSearchParams(value as Record<string, string>).toString()}` : ''
      const reply = await mock.call(method, `${path.replaceAll(/:\w+/g, 'x')}${search}`, {
        prefix: '/_mock',
        headers: { 'x-mock-token': 'let-me-in' },
        body: isQuery ? undefined : value
      })
      const told = (reply.body.ErrorDetails as Body[] | null)?.find(({ FieldName }) => FieldName === field)
      t.strictSame(
        [reply.status, told?.Reason],
        [400, reasonOf(reason)],
        `${field} ${JSON.stringify([value]).slice(0, 80)}`
      )
    }
    for (const violation of violationsOf(query ?? NOTHING)) {
      // A query has only texts.
      const [[, value] = []] = Object.entries(violation[0] as object)
      if (violation[2] !== 'required' && typeof value !== 'object' && violation[2][0] !== 'wrongType')
        await refused(violation, true)
    }
    if (method === 'GET') return
    for (const violation of violationsOf(body ?? NOTHING)) await refused(violation, false)
    if (body !== undefined) await refused([[], '', wrongType('object', 'array')], false)
    if (body !== undefined && !isBodyOptional) await refused([undefined, '', 'noBody'], false)
  })
}
