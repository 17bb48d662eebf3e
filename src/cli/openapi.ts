import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { type Json } from '../lib/json.js'
import { serve } from '../node/serve.js'
import { embeddedDefaults, OPENAPI_OPTIONS, OPTIONS, readOptions } from '../options.js'
import { readFlags } from './command.js'
import { OPENAPI_FLAGS } from './commands/openapi.js'
import { send } from './http.js'
import { print } from './print.js'
import { UsageError } from './usage.js'

/** Prints an OpenAPI document. @returns the exit code */
export async function openapiCommand(args: string[]): Promise<number> {
  const { control, schema, options } = read(args)
  const document = await describeInterface(`${control || schema !== undefined ? '/_mock' : ''}/openapi.json`, options)
  print(schema === undefined ? document : schemaIn(document, schema))
  return 0
}

/** Where the document of the control API has the schemas of files: the keys below `paths`. */
const SCHEMAS = {
  profile: '/_mock/profile get responses 200 content application/json schema properties Result',
  state: '/_mock/state put requestBody content application/json schema'
} as const

type SchemaName = keyof typeof SCHEMAS
const isSchema = (name: unknown): name is SchemaName => Object.hasOwn(SCHEMAS, String(name))

/** A schema of the document as a document of its own, with all that it may refer to. */
function schemaIn(document: string, name: SchemaName): string {
  const { paths, components } = JSON.parse(document) as { readonly paths: Json; readonly components: Json }
  const schema = SCHEMAS[name].split(' ').reduce((part, step) => part[step] as Json, paths)
  return JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema, components })
}

/** A document that a server with these options publishes; it runs only for this. */
export async function describeInterface(path: string, options = embeddedDefaults()): Promise<string> {
  // Not startMock(), so that errors name flags.
  const mock = await serve(options, pino({ level: 'silent' }))
  try {
    return await text(await send(new URL(path, mock.url)))
  } finally {
    await mock.close()
  }
}

function read(args: string[]) {
  const { values, forServer } = readFlags(OPENAPI_FLAGS, args, { server: OPENAPI_OPTIONS })
  const { control = false, schema } = values
  if (control && schema !== undefined) throw new UsageError('--control and --schema exclude each other')
  if (schema !== undefined && !isSchema(schema))
    throw new UsageError(`--schema must be ${Object.keys(SCHEMAS).join(' or ')}, but is ${schema}`)
  // Other variables do not affect a document.
  const variables = OPENAPI_OPTIONS.map((name) => OPTIONS[name].env)
  const env = Object.fromEntries(variables.map((variable) => [variable, process.env[variable]]))
  return { control, schema, options: readOptions(forServer, env, embeddedDefaults()) }
}
