import t from 'tap'
import { type Body, startServer } from '../helper.js'
import { operationsOf, resolved, stuffed } from './hostile-requests.js'
import { isSoak, scaled } from './soak.js'

/** Size of the bodies in bytes; the long form uses the limit of the interface. */
const SIZE = scaled(200_000, 1_000_000)

/** Items of lists; none is valid everywhere. */
const ITEMS = ['{}', '1', '[]', 'null', '"x"', '{"a":{}}', '[[[]]]', '{"":[],"__x":1}']

/** A list or an object of a schema, with the text around it in a body. */
interface Place {
  readonly isList: boolean
  readonly before: string
  readonly after: string
}

function placesOf(part: Body, document: Body, before = '', after = '', depth = 0): Place[] {
  const schema = resolved(part, document)
  const inside = (schema: Body, opening: string, closing: string) =>
    placesOf(schema, document, before + opening, closing + after, depth + 1)
  const parts = [...(schema.anyOf ?? []), ...(schema.allOf ?? [])] as Body[]
  if (parts.length > 0) return parts.flatMap((one) => placesOf(one, document, before, after, depth))
  if (schema.type === 'array') return [{ isList: true, before, after }, ...inside(schema.items ?? {}, '[', ']')]
  if (schema.type !== 'object' || depth > 8) return []
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Body>)
  return [
    { isList: false, before, after },
    ...properties.flatMap(([name, property]) => inside(property, `{${JSON.stringify(name)}:`, '}'))
  ]
}

/** An object of many fields. */
function crowded(value: string): string {
  const count = Math.floor(SIZE / (value.length + 11))
  return `{${Array.from({ length: count }, (_, index) => `"k${index}":${value}`).join()}}`
}

/** The fillings of a place: one in the short form, all in the long one. */
function fillingsOf({ isList }: Place, index: number): string[] {
  if (!isList) return ['1', ...(isSoak ? ['[{}]'] : [])].map(crowded)
  return (isSoak ? ITEMS : [ITEMS[index % ITEMS.length]!]).map((item) => stuffed('[', item, ']', SIZE))
}

void t.test(
  'a server with little memory refuses lists and objects of many wrong parts anywhere in a body',
  async (t) => {
    const args = ['--db', ':memory:', '--log-level', 'error', '--transitions', 'instant']
    const { url, child, output } = await startServer(t, args, { NODE_OPTIONS: '--max-old-space-size=256' })
    const headers = { authorization: 'Bearer arrays', 'content-type': 'application/json' }
    let sent = 0
    for (const path of ['/openapi.json', '/_mock/openapi.json']) {
      const document: Body = await (await fetch(`${url}${path}`)).json()
      for (const { operationId, method, path: template, body } of operationsOf(document)) {
        const target = `${url}${template.replaceAll(/\{\w+\}/g, 'x')}`
        for (const [index, place] of (body === undefined ? [] : placesOf(body, document)).entries())
          for (const filling of fillingsOf(place, index)) {
            const text = `${place.before}${filling}${place.after}`
            const reply = await fetch(target, { method, headers, body: text }).catch(() => undefined)
            if (reply === undefined || child.exitCode !== null)
              throw new Error(`${operationId}: the server has ended: ${text.slice(0, 99)}: ${output().slice(-1000)}`)
            const refusal = await reply.text()
            // The interface ignores unknown fields, so the request may succeed.
            if (reply.status >= 500 || refusal.length > 2_000_000)
              t.fail(`${operationId}: ${reply.status}, ${refusal.length} bytes: ${text.slice(0, 99)}`)
            sent++
          }
      }
    }
    t.ok(sent > 60, `${sent} bodies`)
    const { status } = await fetch(`${url}/users`, { headers })
    t.equal(status, 200, 'and it still serves')
  }
)
