import type { TObject, TSchema } from '@sinclair/typebox'
import { CALLS } from '../src/test-control/calls.js'
import { type ControlCall, placeOfMethod } from '../src/test-control/control-call.js'
import { read } from './doc-parts.js'
import { capitalised, OBJECTS } from './handle-types.js'

// Generates the methods of the Python client from the calls. The rest of the client is handwritten.

const FILE = 'clients/python/svc_mock/__init__.py'
const BEGIN = '# Made from the calls by test/python-client.ts. Do not edit it: `npm run docs` updates it.\n'
const END = '# The end of what is made from the calls.\n'

const WIDTH = 120

/** The Python client with generated methods. */
export function pythonClient(): string {
  const text = read(FILE)
  const [before, after] = [text.indexOf(BEGIN) + BEGIN.length, text.indexOf(END)]
  if (!text.includes(BEGIN) || after < before) throw new Error(`${FILE} must have the lines around what is made`)
  const rest = text.slice(after)
  return `${text.slice(0, before)}\n\n${classes(rest).join('\n\n')}\n\n${rest}`
}

/** The classes of methods, first that of a sandbox. The rest of the client extends some of them. */
function classes(rest: string): string[] {
  const sandbox = ['', { about: 'The calls that a sandbox makes.' }] as const
  return [sandbox, ...Object.entries(OBJECTS)].map(([owner, { about }]) => {
    const name = capitalised(owner || 'sandbox')
    const isExtended = rest.includes(`class ${name}(_${name}Calls):`)
    const methods = CALLS.filter(({ program }) => program !== undefined && placeOfMethod(program)[0] === owner)
    const head = `class ${isExtended ? `_${name}Calls` : name}(_Calls):\n    """${about}"""`
    return `${head}\n\n${methods.map(method).join('\n')}`
  })
}

function method(call: ControlCall): string {
  const { path, params = {}, result, summary, program } = call
  const { gives, returns } = program!
  const ids = Object.keys(params).map(snakeCase)
  const url = path.replaceAll(/:(\w+)/g, (_, id: string) => `{_segment('${snakeCase(id)}', ${snakeCase(id)})}`)
  const { signature, sent } = input(call)
  const request = [`"${call.method}"`, `${ids.length === 0 ? '' : 'f'}"${url}"`, ...sent].join(', ')
  const given = gives === undefined ? result : ((result as TObject).properties[gives] as TSchema)
  const made = `self.control(${request})${gives === undefined ? '' : `["${gives}"]`}`
  const inputs = ['self', ...ids.map((id) => `${id}: str`), ...signature].join(', ')
  return [
    `    def ${placeOfMethod(program!)[1]}(${inputs}) -> ${typeOf(given)}:`,
    docstring(`${summary}.`, returns === undefined ? '' : `Returns ${returns}.`),
    '        __tracebackhide__ = True',
    `        ${result === undefined ? '' : 'return '}${made}`
  ]
    .map(wrapped)
    .join('\n')
    .concat('\n')
}

function docstring(summary: string, returns: string): string {
  const line = `        """${[summary, returns].join(' ').trim()}"""`
  return line.length <= WIDTH ? line : `        """${summary}\n\n        ${returns}\n        """`
}

function input({ query, body, checksBody, program }: ControlCall): { signature: string[]; sent: string[] } {
  const schema = (body ?? query) as TObject | undefined
  const takes = program!.takes
  if (schema === undefined || takes?.length === 0) return { signature: [], sent: [] }
  if (checksBody === true) return { signature: ['document: Json'], sent: ['document'] }
  if (typeof takes === 'string') return { signature: [`${takes}: Items`], sent: [`{"${takes}": ${takes}}`] }
  // None is a valid value there, so an omitted argument must not be sent as None.
  if (Object.values(schema.properties).some(isNullable)) return { signature: ['**fields: Any'], sent: ['fields'] }
  const all = argumentsOf(schema, takes)
  const signature = all.map(({ name, type, isOptional }) =>
    isOptional ? `${name}: ${type === 'Any' ? type : `Optional[${type}]`} = None` : `${name}: ${type}`
  )
  const fields = all.map(({ name, value }) => [name, value] as const)
  if (body === undefined) return { signature, sent: fields.map(([name, value]) => `${name}=${value}`) }
  return { signature, sent: [`_given({${fields.map(([name, value]) => `"${name}": ${value}`).join(', ')}})`] }
}

/** The arguments for the fields of a schema, required ones first. */
function argumentsOf({ properties, required = [] }: TObject, takes?: readonly string[]) {
  return (takes ?? Object.keys(properties))
    .map((name) => {
      const type = typeOf(properties[name], true)
      return {
        name,
        type,
        isOptional: !required.includes(name),
        value: SENT_AS_TEXT.has(type) ? `_sent(${name})` : name
      }
    })
    .sort((a, b) => Number(a.isOptional) - Number(b.isOptional))
}

const SENT_AS_TEXT: ReadonlySet<string> = new Set(['Duration', 'Timestamp', 'Iterable[Any]'])

const isNullable = (schema: TSchema) => Array.isArray(schema['anyOf'])

const snakeCase = (name: string) =>
  name.replaceAll(/(?<=[a-z])([A-Z]+)/g, (_, letters: string) => `_${letters.toLowerCase()}`)

function typeOf(schema: TSchema | undefined, isInput = false): string {
  if (schema === undefined) return 'None'
  const { type, description = '', $ref: reference } = schema
  if (reference !== undefined) return 'Json'
  switch (type as string | undefined) {
    case 'string':
      return /\bTimestamp\b/.test(description) ? 'Timestamp' : /\bDuration\b/.test(description) ? 'Duration' : 'str'
    case 'integer':
      return 'int'
    case 'number':
      return 'float'
    case 'boolean':
      return 'bool'
    case 'array':
      return isInput ? 'Iterable[Any]' : 'Items'
    case 'object':
      return 'Json'
    default:
      return 'Any'
  }
}

function wrapped(line: string): string {
  if (line.length <= WIDTH || line.includes('\n')) return line
  const indent = ' '.repeat(12)
  const lines = ['']
  for (const part of line.split(/(?<=, )/)) {
    if (lines.at(-1)!.length + part.trimEnd().length > WIDTH) lines.push(indent)
    lines.push(`${lines.pop()!}${part}`)
  }
  return lines.map((one) => one.trimEnd()).join('\n')
}
