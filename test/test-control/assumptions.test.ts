import t from 'tap'
import { startMock } from '../../src/node/index.js'
import { ASSUMPTIONS } from '../../src/resources/all-assumptions.js'
import type { Body } from '../helper.js'
import { pluck } from '../helper.js'

void t.test('all assumptions are listed, without a key and without creating a sandbox', async (t) => {
  await using mock = await startMock()
  const reply = await fetch(`${mock.url}/_mock/assumptions`)
  t.equal(reply.status, 200)
  const list = ((await reply.json()) as Body).Result as Body[]
  t.strictSame(pluck(list, 'id'), pluck(ASSUMPTIONS, 'id'))
  const idle = list.find(({ says }) => /^A workspace can be 'Idle'/.test(says as string))
  t.match(idle, {
    topic: 'Workspace states',
    change: /state document/,
    observable: true
  })
  const off = list.find(({ says }) => /'--auth off' needs no credential/.test(says as string))
  t.match(off, {
    topic: 'Credentials and sandboxes',
    observable: false
  })
  t.strictSame((await mock.sandboxes.list()).sandboxes, [])
})

void t.test('a field that a profile adds is not an assumption', async (t) => {
  await using mock = await startMock({
    profile: { profile: 1, name: 'another', fields: { Workspace: { colour: { type: 'string', default: 'red' } } } }
  })
  const document = (await (await fetch(`${mock.url}/openapi.json`)).json()) as Body
  const { properties, ...schema } = document.components.schemas.Workspace
  t.match(schema['x-assumption'], /^P-\d{3}$/)
  t.equal(properties.name['x-assumption'], schema['x-assumption'])
  t.equal(properties.colour['x-assumption'], undefined)
})

void t.test(
  'under a shipped profile, the list has the verdict of published replies, and which decide it',
  async (t) => {
    const under = async (options: Parameters<typeof startMock>[0]) => {
      await using mock = await startMock(options)
      const found = await mock.sandbox().assumptions()
      return new Map(found.map((assumption) => [assumption.id, assumption]))
    }
    for (const options of [{}, { profile: 'conventional' }]) {
      const builtIn = await under(options)
      t.match(builtIn.get('P-054'), { published: { verdict: 'contradicted', exchanges: [35] } })
      t.match(builtIn.get('P-103')?.published, { verdict: 'confirmed', exchanges: [13, 15, 16, 17, 18] })
      t.notMatch(builtIn.get('P-054')?.says, /instead/)
    }
    const observed = await under({ profile: 'observed' })
    t.match(observed.get('P-054'), {
      says: /The profile observed answers with 500 instead\.$/,
      published: { verdict: 'confirmed' }
    })
    const errors = { notFound: { status: 410 }, notAllowed: { status: 400 } }
    const own = await under({ profile: { profile: 1, errors } })
    const isPublished = [...own.values()].some(({ published }) => published !== undefined)
    t.notOk(isPublished, 'nobody has compared it')
    t.match(own.get('P-054')?.says, /answers with 410 instead\.$/)
    t.notMatch(own.get('P-050')?.says, /instead/, 'it has the built-in status')
  }
)
