import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { sendInPieces } from '../../src/http/hooks/bound-unread-replies.js'
import { portOf } from '../helper.js'

/** A server that answers with a text. */
async function serve(t: Test, text: string) {
  const app = Fastify()
  app.addHook('onSend', sendInPieces)
  app.get('/', (_request, reply) => reply.type('application/json').send(text))
  const port = await portOf(app)
  t.teardown(() => {
    app.server.closeAllConnections()
    return app.close()
  })
  return `http://127.0.0.1:${port}/`
}

void t.test('a long reply arrives whole, wherever it is split', async (t) => {
  // Each shift puts the halves of the pairs elsewhere.
  for (const shift of ['', 'x'])
    for (const character of ['a', 'é', '😀']) {
      const text = `${shift}${character.repeat(1_500_000 / character.length)}`
      const url = await serve(t, text)
      const reply = await fetch(url)
      t.equal(Number(reply.headers.get('content-length')), Buffer.byteLength(text))
      t.ok((await reply.text()) === text, `${shift}${character}`)
      const head = await fetch(url, { method: 'HEAD' })
      t.equal(Number(head.headers.get('content-length')), Buffer.byteLength(text))
    }
})

void t.test('others are served while a long reply is sent', async (t) => {
  const url = await serve(t, 'x'.repeat(20_000_000))
  let turns = 0
  let isOver = false
  const count = () => {
    turns++
    if (!isOver) setImmediate(count)
  }
  count()
  t.equal((await (await fetch(url)).text()).length, 20_000_000)
  isOver = true
  t.ok(turns > 20_000_000 / 300_000, `${turns} turns`)
})

void t.test('a client that leaves in the middle of a long reply ends it', async (t) => {
  const url = await serve(t, 'x'.repeat(50_000_000))
  const reply = await fetch(url)
  await reply.body!.cancel()
  t.equal((await (await fetch(url)).text()).length, 50_000_000)
})
