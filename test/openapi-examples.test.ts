import t from 'tap'
import { startMock } from '../src/node/index.js'
import { alike } from './alike.js'
import { type Body, sendJson } from './helper.js'
import { needsSession, readOperations } from './operations.js'

const mock = await startMock({ demo: true, strictBodies: true })
t.teardown(() => mock.close())
// By the time of the tests, the server may be closing a kept-alive connection.
const read = await fetch(`${mock.url}/openapi.json`, { headers: { connection: 'close' } })
const document: Body = await read.json()

const all = readOperations().map((operation) => {
  const part = document.paths[operation.path][operation.method]
  const exampleIn = (carrier: Body): Body =>
    carrier?.content?.['application/json']?.examples?.[operation.operationId]?.value
  const parameters = ((part.parameters ?? []) as Body[]).filter((parameter) => parameter.in === 'path')
  return { operation, part, parameters, body: exampleIn(part.requestBody), reply: exampleIn(part.responses[200]) }
})

void t.test('every operation has examples of its path, its body and its reply', async (t) => {
  t.notMatch(JSON.stringify(document), /"x-own-examples"/)
  for (const { operation, part, parameters, body, reply } of all) {
    const { operationId, path, success } = operation
    if (part.operationId !== operationId) t.match(part.description, `\`${operationId}\``, 'its description names it')
    t.equal(parameters.length, path.match(/\{/g)?.length ?? 0, operationId)
    for (const { name, example } of parameters) t.match(example, /\S/, `${operationId} ${name}`)
    t.equal(body !== undefined, operation.body !== undefined, `${operationId}: body`)
    t.equal(reply !== undefined, success === 200, `${operationId}: reply`)
  }
})

void t.test('every example works on the demo data, and gets the reply that is shown', async (t) => {
  for (const { operation, parameters, body, reply } of all) {
    const { operationId, method, path, success } = operation
    const url = path.replaceAll(/\{(\w+)\}/g, (_, wanted: string) =>
      String(parameters.find(({ name }) => name === wanted)!.example)
    )
    // A new sandbox for each example.
    const headers = needsSession(operation) ? { authorization: `Bearer ${operationId}` } : { 'x-api-key': operationId }
    const real = await sendJson(method.toUpperCase(), `${mock.url}${url}`, headers, body)
    t.equal(real.status, success, operationId)
    const text = await real.text()
    if (success === 200) t.strictSame(alike(text), alike(JSON.stringify(reply)), operationId)
  }
})
