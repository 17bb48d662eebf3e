import { optionsHelp } from '../../options.js'
import { ALL_OPTIONS, type Command } from '../command.js'

export const SERVE: Command = {
  usage: ['serve [options]'],
  about: `Runs the server until SIGTERM or SIGINT; a second signal stops it at once.
A flag overrides its environment variable.`,
  examples: ['serve', 'serve --demo --db :memory: --port 0', 'serve --auth strict --api-key ci=<secret>'],
  server: { options: ALL_OPTIONS, help: optionsHelp }
}
