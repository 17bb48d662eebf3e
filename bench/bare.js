// The floor: a Fastify route without any work. With a file as its argument, /text also answers with its contents.
import { readFileSync } from 'node:fs'
import Fastify from 'fastify'

const app = Fastify()
app.get(
  '/',
  { schema: { response: { 200: { type: 'object', properties: { hello: { type: 'string' } } } } } },
  (_request, reply) => {
    reply.send({ hello: 'world' })
  }
)
const [, , file] = process.argv
if (file !== undefined) {
  const text = readFileSync(file, 'utf8')
  app.get('/text', (_request, reply) => {
    reply.type('application/json; charset=utf-8').send(text)
  })
}
console.log(await app.listen({ port: 0, host: '127.0.0.1' }))
