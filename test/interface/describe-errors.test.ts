import { Type } from '@sinclair/typebox'
import t from 'tap'
import { listErrors } from '../../src/interface/describe-errors.js'
import type { ErrorDetail } from '../../src/interface/errors.js'
import { UNKNOWN_FIELD } from '../../src/interface/validation.js'

const kind = { name: 'a plan', schema: Type.Object({ name: Type.String() }) }
const detail = (FieldName: string, Reason: string): ErrorDetail => ({ FieldName, Reason, Type: 'Bad-Request' })
const placeOf = (path: readonly string[]) => path.join(' > ')

void t.test('each error names its field, its place if known, and the probable name, in one line', async (t) => {
  const document = { nmae: 1, name: 'a\n b' }
  const details = [detail('name', 'is  not\n\nright'), detail('nmae', UNKNOWN_FIELD), detail('', 'is too small')]
  t.strictSame(listErrors({ document, placeOf }, details, kind), [
    'name (name) is not right',
    'nmae (nmae) is not a field of a plan (did you mean name?)',
    'it is too small'
  ])
  t.strictSame(listErrors({ document }, [detail('name', 'is wrong')], kind), ['name is wrong'])
})

void t.test('a name with dots is one step of the path, the longest that there is', async (t) => {
  const document = { 'a.b': { 'c.d.e': null, x: 1 }, list: [{ 'f.g': 'text' }], h: { i: 1 }, 'h.i': 2 }
  for (const [field, steps] of [
    ['a.b', 'a.b'],
    ['a.b.x', 'a.b > x'],
    ['a.b.c.d.e', 'a.b > c.d.e'],
    ['a.b.c.d.e.f.g', 'a.b > c.d.e > f > g'],
    ['list.0.f.g', 'list > 0 > f.g'],
    ['list.0.f.g.0', 'list > 0 > f.g > 0'],
    ['h.i', 'h.i'],
    ['a.missing', 'a > missing']
  ] as const)
    t.strictSame(listErrors({ document, placeOf }, [detail(field, 'is wrong')], kind), [`${field} (${steps}) is wrong`])
})

void t.test('a hundred errors are described, and the others are counted', async (t) => {
  const details = Array.from({ length: 250 }, (_, i) => detail(`f${i}`, 'is wrong'))
  t.strictSame(listErrors({ document: {} }, details, kind).slice(99), ['f99 is wrong', 'and 150 more'])
})
