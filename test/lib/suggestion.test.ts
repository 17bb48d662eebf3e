import { Type } from '@sinclair/typebox'
import t from 'tap'
import { suggestionFor } from '../../src/lib/suggestion.js'

const Item = Type.Object({ name: Type.String(), status: Type.String() })
const Document = Type.Object({
  delay: Type.Union([Type.String(), Type.Object({ min: Type.String(), max: Type.String() })]),
  groups: Type.Array(Type.Object({ name: Type.String(), items: Type.Array(Item) }))
})

void t.test('a misspelt field leads to a known one at its place', async (t) => {
  for (const [path, meant] of [
    ['gruops', 'groups'],
    ['groups.0.nmae', 'name'],
    ['groups.11.items.0.staus', 'status'],
    ['delay.mni', 'min'],
    ['groups', undefined],
    ['region', undefined],
    ['gruops.0.nmae', undefined]
  ] as const)
    t.equal(suggestionFor(Document, path.split('.')), meant, path)
})
