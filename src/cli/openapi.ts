import { pino } from 'pino'
import { type Json } from '../lib/json.js'
import { serve } from '../node/serve.js'
import { embeddedDefaults, OPENAPI_OPTIONS, OptionError, OPTIONS, type Options, readOptions } from '../options.js'
import { optionsOf } from './command.js'
import { OPENAPI_FLAGS } from './commands/openapi.js'
import { bodyOf, send } from './http.js'
import { print } from './print.js'
import { SERVER_FLAGS } from './server-flags.js'
import { parseCommandLine, UsageError } from './usage.js'

/** Prints an OpenAPI document. @returns the exit code */
export async function openapiCommand(args: string[]): Promise<number> {
  const { control, schema, options } = read(args)
  const text = await describeInterface(`${control || schema !== undefined ? '/_mock' : ''}/openapi.json`, options)
  print(schema === undefined ? text : schemaIn(text, schema))
  return 0
}

/** Where the document of the control API has the schemas of files, step by step below its paths. */
const SCHEMAS = {
  profile: '/_mock/profile get responses 200 content application/json schema properties Result',
  state: '/_mock/state put requestBody content application/json schema'
} as const

type SchemaName = keyof typeof SCHEMAS
const isSchema = (name: unknown): name is SchemaName => Object.hasOwn(SCHEMAS, String(name))

/** A schema of the document by itself, with those that it refers to. */
function schemaIn(text: string, name: SchemaName): string {
  const { paths, components } = JSON.parse(text) as { readonly paths: Json; readonly components: Json }
  const schema = SCHEMAS[name].split(' ').reduce((part, step) => part[step] as Json, paths)
  return JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema, components })
}

/** A document that a server with these options publishes. The server runs only for this. */
export async function describeInterface(path: string, options: Partial<Options>): Promise<string> {
  // As startMock() does, but errors name flags.
  const mock = await serve({ ...embeddedDefaults(), ...options }, pino({ level: 'silent' })).catch((error: unknown) => {
    throw asUsage(error)
  })
  try {
    return await bodyOf(await send(new URL(path, mock.url)))
  } finally {
    await mock.close()
  }
}

function read(args: string[]): {
  readonly control: boolean
  readonly schema: SchemaName | undefined
  readonly options: Partial<Options>
} {
  const shapingFlags = OPENAPI_OPTIONS.map((name) => OPTIONS[name].flag.slice(2))
  const options = Object.fromEntries(shapingFlags.map((flag) => [flag, SERVER_FLAGS[flag]!]))
  const { values } = parseCommandLine({ args, options: { ...options, ...optionsOf(OPENAPI_FLAGS) } })
  const { control = false, schema, ...shaping } = values as Readonly<Record<string, string | boolean>>
  if (schema !== undefined && !isSchema(schema))
    throw new UsageError(`--schema must be ${Object.keys(SCHEMAS).join(' or ')}, but is ${schema}`)
  const flags = Object.entries(shaping).map(([name, value]) =>
    value === true ? `--${name}` : `--${name}=${String(value)}`
  )
  // The others say nothing about a document.
  const variables = OPENAPI_OPTIONS.map((name) => OPTIONS[name].env)
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => variables.includes(name)))
  try {
    const { profile, basePath, strictBodies, brand, brandResourceName } = readOptions(flags, env)
    return {
      control: control === true,
      schema,
      options: { profile, basePath, strictBodies, brand, brandResourceName }
    }
  } catch (error) {
    throw asUsage(error)
  }
}

const asUsage = (error: unknown) => (error instanceof OptionError ? new UsageError(error.message) : error)
