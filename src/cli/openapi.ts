import { pino } from 'pino'
import { serve } from '../node/serve.js'
import { embeddedDefaults, OPENAPI_OPTIONS, OptionError, OPTIONS, type Options, readOptions } from '../options.js'
import { bodyOf, send } from './http.js'
import { print } from './print.js'
import { asksForHelp, parseCommandLine, UsageError } from './usage.js'

const HELP = `Usage: svc-mock openapi [options]

Prints the OpenAPI document of the interface. It needs no running server.

Options:
  --control
      Print the document of the control API instead.
${OPENAPI_OPTIONS.map((name) => {
  const { flag, placeholder, help, env } = OPTIONS[name]
  return `  ${flag}${placeholder === undefined ? '' : ` ${placeholder}`}\n      ${help} Environment: ${env}.`
}).join('\n')}

Examples:
  svc-mock openapi > openapi.json
  svc-mock openapi --control > control.json`

/** Prints an OpenAPI document. @returns the exit code */
export async function openapiCommand(args: string[]): Promise<number> {
  if (asksForHelp(args)) {
    print(HELP)
    return 0
  }
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
  const { control = false, ...shaping } = parseCommandLine({
    args,
    options: {
      control: { type: 'boolean' },
      profile: { type: 'string' },
      'base-path': { type: 'string' },
      'strict-bodies': { type: 'boolean' },
      brand: { type: 'string' },
      'brand-resource-name': { type: 'string' },
      help: { type: 'boolean', short: 'h' }
    }
  }).values
  const flags = Object.entries(shaping).map(([name, value]) => (value === true ? `--${name}` : `--${name}=${value}`))
  // The others say nothing about a document.
  const variables = OPENAPI_OPTIONS.map((name) => OPTIONS[name].env)
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => variables.includes(name)))
  try {
    const { profile, basePath, strictBodies, brand, brandResourceName } = readOptions(flags, env)
    return { control, options: { profile, basePath, strictBodies, brand, brandResourceName } }
  } catch (error) {
    throw asUsage(error)
  }
}

const asUsage = (error: unknown) => (error instanceof OptionError ? new UsageError(error.message) : error)
