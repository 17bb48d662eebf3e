import type { Command, Flags } from '../command.js'

export const CONFORM_FLAGS = {
  profile: { value: 'FILE', help: 'Profile that the mock is under. Default: the built-in one.' },
  allow: {
    value: 'ID',
    help: 'An assumption that may be contradicted, such as P-017. Repeatable, or P-017,P-018.',
    isList: true
  },
  html: { value: 'FILE', help: 'Write the report as a page.' },
  json: { value: 'FILE', help: 'Write the report as JSON. - is the standard output, here and for the other reports.' },
  junit: { value: 'FILE', help: 'Write the report as JUnit XML: a case for each assumption.' }
} as const satisfies Flags

export const CONFORM: Command = {
  usage: ['conform FILE... [options]'],
  about: `Compares the mock with what a real service has answered: replays the exchanges
of HTTP Archives (see 'svc-mock record') and of svc-mock recordings against a
fresh sandbox, at the times at which they were recorded, and says which of the
mock's assumptions are confirmed, contradicted or unseen.`,
  flags: CONFORM_FLAGS,
  examples: ['conform service.har', 'conform service.har --profile profile.yaml --html report.html --allow P-017'],
  exits: `0 no contradiction, 1 contradictions, 2 mistake in the command line, or
nothing to compare.`
}
