import { OPENAPI_OPTIONS, OPTIONS, optionsHelp } from '../../options.js'
import { ALL_OPTIONS, type Command, type Flags } from '../command.js'

export const OPENAPI_FLAGS = {
  control: { help: 'Print the document of the control API instead.' },
  schema: {
    value: 'profile|state',
    help: 'Print the JSON Schema of profiles or state documents instead, for your editor.'
  }
} as const satisfies Flags

export const OPENAPI: Command = {
  usage: ['openapi [options]'],
  about: 'Prints the OpenAPI document of the interface. It needs no running server.',
  flags: OPENAPI_FLAGS,
  server: {
    options: OPENAPI_OPTIONS,
    help: () => {
      const listed: readonly string[] = OPENAPI_OPTIONS
      const except = ALL_OPTIONS.filter((name) => !listed.includes(name)).map((name) => OPTIONS[name].flag.slice(2))
      return `Options that affect the document:\n${optionsHelp({ except })}`
    }
  },
  examples: ['openapi > openapi.json', 'openapi --control > control.json', 'openapi --schema state > state.schema.json']
}
