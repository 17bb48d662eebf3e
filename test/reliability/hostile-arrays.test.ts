import t, { type Test } from 'tap'
import { type Body, type Command, runCommand } from '../helper.js'
import { operationsOf } from './hostile-requests.js'
import { scaled } from './soak.js'

/** How large the bodies are, in bytes: the interface takes them up to this size. */
const SIZE = scaled(200_000, 1_000_000)

/** What a list is filled with: nothing of it is right everywhere. */
const ITEMS = ['{}', '1', '[]', 'null', '"x"', '{"a":{}}', '[[[]]]', '{"":[],"__x":1}']

/** A server in a process of its own, with little memory. */
async function startSmall(t: Test, megabytes: number, ...args: string[]): Promise<Command & { url: string }> {
  const command = runCommand(
    t,
    ['serve', '--port', '0', '--db', ':memory:', '--log-level', 'error', '--transitions', 'instant', ...args],
    {
      NODE_OPTIONS: `--max-old-space-size=${megabytes}`
    }
  )
  const [, url] = await command.seen(/"url":"([^"]+)".*\n/)
  return { ...command, url: url! }
}

/** The text of an object or an array around a part of it. */
type Around = (part: string) => string

/** Every list, and every object, of a schema, as what stands around it in a body. */
function placesOf(
  schema: Body,
  document: Body,
  around: Around = (part) => part,
  depth = 0
): { isList: boolean; around: Around }[] {
  if (schema.$ref !== undefined)
    return placesOf(
      (schema.$ref as string)
        .slice(2)
        .split('/')
        .reduce((part: Body, step) => part[step], document),
      document,
      around,
      depth
    )
  const parts = [...(schema.anyOf ?? []), ...(schema.allOf ?? [])] as Body[]
  if (parts.length > 0) return parts.flatMap((part) => placesOf(part, document, around, depth))
  if (schema.type === 'array') {
    return [
      { isList: true, around },
      ...placesOf(schema.items ?? {}, document, (part) => around(`[${part}]`), depth + 1)
    ]
  }
  if (schema.type !== 'object' || depth > 8) return []
  return [
    { isList: false, around },
    ...Object.entries((schema.properties ?? {}) as Record<string, Body>).flatMap(([name, property]) =>
      placesOf(property, document, (part) => around(`{${JSON.stringify(name)}:${part}}`), depth + 1)
    )
  ]
}

const filled = (item: string) =>
  `[${Array(Math.floor(SIZE / (item.length + 1)))
    .fill(item)
    .join()}]`
const named = (value: string) =>
  `{${Array.from({ length: Math.floor(SIZE / (value.length + 11)) }, (_, index) => `"k${index}":${value}`).join()}}`

void t.test(
  'lists and objects of many wrong parts, wherever a body has a place for them, are refused by a server with ' +
    'little memory',
  async (t) => {
    const { url, child, output } = await startSmall(t, 256)
    const headers = { authorization: 'Bearer arrays', 'content-type': 'application/json' }
    let sent = 0
    for (const path of ['/openapi.json', '/_mock/openapi.json']) {
      const document: Body = await (await fetch(`${url}${path}`)).json()
      for (const { operationId, method, path: template, body } of operationsOf(document)) {
        if (body === undefined) continue
        const target = `${url}${template.replaceAll(/\{\w+\}/g, 'x')}`
        for (const [index, { isList, around }] of placesOf(body, document).entries()) {
          // Each place gets one of the fillings in the short form, and all of them in the long one.
          const items = scaled(0, 1) === 1 ? ITEMS : [ITEMS[index % ITEMS.length]!]
          for (const text of isList
            ? items.map(filled)
            : [named('1'), ...(scaled(0, 1) === 1 ? [named('[{}]')] : [])]) {
            const reply = await fetch(target, { method, headers, body: around(text) }).catch(
              (error: unknown) => error as Error
            )
            if (reply instanceof Error || child.exitCode !== null) {
              t.fail(`${operationId}: the server has ended`, {
                text: around(text.slice(0, 50)),
                output: output().slice(-1000)
              })
              return
            }
            const refusal = await reply.text()
            // What the interface does not know it passes over.
            if (reply.status >= 500 || refusal.length > 2_000_000)
              t.fail(`${operationId}: ${reply.status}, ${refusal.length} bytes: ${around(text.slice(0, 50))}`)
            sent++
          }
        }
      }
    }
    t.ok(sent > 60, `${sent} bodies`)
    const { status } = await fetch(`${url}/users`, { headers })
    t.equal(status, 200, 'and goes on')
  }
)

void t.test('the whole of a body may be wrong, even with a heap of 128 MB', async (t) => {
  // What is kept of bodies is another matter.
  const { url, child } = await startSmall(t, 128, '--journal-requests', '0')
  const send = async (method: string, path: string, body: string) =>
    (
      await fetch(`${url}${path}`, {
        method,
        headers: { 'x-api-key': 'arrays', 'content-type': 'application/json' },
        body
      })
    ).status
  const fill = (before: string, item: string, after: string, size: number) =>
    `${before}${Array(Math.floor((size - before.length - after.length) / (item.length + 1)))
      .fill(item)
      .join()}${after}`
  for (const item of ITEMS) {
    for (const size of [2 ** 18, 2 ** 20]) {
      // A MiB of containers, or of numbers of one digit, would take too much memory to be read at all.
      const expected = size < 2 ** 20 || /[a-z]"?$/.test(item) ? 400 : 413
      const workspaces = '/controller/v4/v2/workgroups/x/workspaces'
      t.equal(await send('POST', workspaces, fill('{"addons":[', item, ']}', size)), expected, item)
      t.equal(await send('PUT', '/_mock/state', fill('{"timeline":[', item, ']}', size)), expected, item)
    }
  }
  for (const size of [3, 10])
    t.equal(await send('PUT', '/_mock/state', fill('{"timeline":[', '{}', ']}', size * 2 ** 20)), 413, `${size} MiB`)
  t.equal(child.exitCode, null)
})
