// The floor: what Fastify answers without any work.
import Fastify from 'fastify'

const app = Fastify()
app.get('/', { schema: { response: { 200: { type: 'object', properties: { hello: { type: 'string' } } } } } }, (_request, reply) => {
  reply.send({ hello: 'world' })
})
console.log(await app.listen({ port: 0 }))
