import t from 'tap'
import { openStores } from './stores.js'

void t.test('a document is there for as long as something refers to it', async (t) => {
  const { documents, snapshots, add } = openStores(t)
  const [a, b] = [add('a'), add('b')]
  const document = documents.save('{"x": 1}')
  snapshots.save(a, { name: 's', createdAt: '' }, document)
  snapshots.save(b, { name: 's', createdAt: '' }, document)
  t.equal(snapshots.document(a, 's'), document)
  t.equal(snapshots.remove(a, 's'), true)
  t.strictSame([documents.has(document), documents.read(document)], [true, '{"x": 1}'])
  snapshots.save(b, { name: 's', createdAt: '' }, documents.save('{}'))
  t.strictSame([documents.has(document), documents.read(document)], [false, undefined])
})

void t.test('snapshots are found by sandbox and name', async (t) => {
  const { documents, snapshots, add } = openStores(t)
  const [a, b] = [add('a'), add('b')]
  for (const [key, name, createdAt] of [
    [a, 'z', '1'],
    [a, 'y', '2'],
    [b, 'x', '3'],
    [a, 'z', '4']
  ] as const)
    snapshots.save(key, { name, createdAt }, documents.save('{}'))
  t.strictSame(snapshots.list(a), [
    { name: 'y', createdAt: '2' },
    { name: 'z', createdAt: '4' }
  ])
  t.strictSame(
    [snapshots.countOthers(a, 'y'), snapshots.countOthers(a, 'new'), snapshots.countOthers(b, 'x')],
    [1, 2, 0]
  )
  t.strictSame([snapshots.document(a, 'x'), snapshots.remove(a, 'x')], [undefined, false])
  t.equal(snapshots.list(b).length, 1)
})
