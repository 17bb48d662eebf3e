import { Type } from '@sinclair/typebox'
import t from 'tap'
import { suggestionFor } from '../../src/lib/suggestion.js'

const Item = Type.Object({ name: Type.String(), status: Type.String() })
const Document = Type.Object({
  clock: Type.Object({ mode: Type.String() }),
  delay: Type.Union([Type.String(), Type.Object({ min: Type.String(), max: Type.String() })]),
  groups: Type.Array(Type.Object({ name: Type.String(), items: Type.Array(Item) }))
})
const suggestion = (document: unknown, path: string, reason = 'is not right') =>
  suggestionFor(Document, document, path.split('.'), reason)

void t.test('a misspelt field is traced to the one that is known at its place', async (t) => {
  const groups = Array.from({ length: 12 }, () => ({ items: [{}] }))
  for (const [path, meant] of [
    ['gruops', 'groups'],
    ['groups.0.nmae', 'name'],
    ['groups.11.items.0.staus', 'status'],
    ['delay.mni', 'min']
  ] as const)
    t.equal(suggestion({ groups, delay: {} }, path), meant, path)
})

void t.test('a misspelt value is traced to one of those that its field may have', async (t) => {
  const reason = 'must be one of real, frozen, poll'
  t.equal(suggestion({ clock: { mode: 'frozn' } }, 'clock.mode', reason), 'frozen')
  t.equal(suggestion({ clock: { mode: 'frozn' } }, 'clock.mode', `${reason} or off`), 'frozen')
  t.equal(suggestion({ clock: { mode: 'frozn' } }, 'clock.mode'), undefined, 'if the reason names them')
  t.equal(suggestion({ clock: { mode: 'frozn' } }, 'clock.mode', `it ${reason}`), undefined)
  t.equal(suggestion({ clock: { mode: 5 } }, 'clock.mode', reason), undefined)
})

void t.test('there is no suggestion for what is absent, or inside something unknown or of another type', async (t) => {
  for (const [document, path] of [
    [{ gruops: [] }, 'gruops.0'],
    [{ groups: [{}] }, 'groups.0.name'],
    [{ groups: null }, 'groups.0'],
    [{ groups: 'text' }, 'groups.0.name'],
    [{ clock: 'frozn' }, 'clock.mode'],
    [undefined, 'groups'],
    ['text', 'groups']
  ] as const)
    t.equal(suggestion(document, path, 'must be one of text, frozen'), undefined, path)
})
