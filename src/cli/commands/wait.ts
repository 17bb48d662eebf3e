import { DURATION_FORMS } from '../../lib/time.js'
import type { Command, Flags } from '../command.js'
import { CLIENT_VARIABLES } from '../target.js'
import { DEFAULT_URL } from '../usage.js'

export const WAIT_FLAGS = {
  url: {
    value: 'URL',
    help: `Where the server listens. Default: ${DEFAULT_URL}. Environment: ${CLIENT_VARIABLES.url}.`
  },
  timeout: {
    value: 'DURATION',
    help: `How long to wait, ${DURATION_FORMS}. A number alone is in seconds.`,
    default: '30s'
  }
} as const satisfies Flags

export const WAIT: Command = {
  usage: ['wait [options]'],
  about: 'Waits until a server is ready, i.e. until its /_mock/ready answers 200.',
  flags: WAIT_FLAGS,
  examples: ['wait', 'wait --url http://127.0.0.1:4701 --timeout 2m'],
  exits: '0 ready, 1 not in time, 2 mistake in the command line.'
}
