import { pino } from 'pino'
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
  const { control, options } = read(args)
  print(await describeInterface(`${control ? '/_mock' : ''}/openapi.json`, options))
  return 0
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

function read(args: string[]): { control: boolean; options: Partial<Options> } {
  const shapingFlags = OPENAPI_OPTIONS.map((name) => OPTIONS[name].flag.slice(2))
  const options = Object.fromEntries(shapingFlags.map((flag) => [flag, SERVER_FLAGS[flag]!]))
  const { values } = parseCommandLine({ args, options: { ...options, ...optionsOf(OPENAPI_FLAGS) } })
  const { control = false, ...shaping } = values as Readonly<Record<string, string | boolean>>
  const flags = Object.entries(shaping).map(([name, value]) =>
    value === true ? `--${name}` : `--${name}=${String(value)}`
  )
  // The others say nothing about a document.
  const variables = OPENAPI_OPTIONS.map((name) => OPTIONS[name].env)
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => variables.includes(name)))
  try {
    const { profile, basePath, strictBodies, brand, brandResourceName } = readOptions(flags, env)
    return { control: control === true, options: { profile, basePath, strictBodies, brand, brandResourceName } }
  } catch (error) {
    throw asUsage(error)
  }
}

const asUsage = (error: unknown) => (error instanceof OptionError ? new UsageError(error.message) : error)
