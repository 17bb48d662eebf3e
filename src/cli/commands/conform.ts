import type { Command, Flags } from '../command.js'

export const CONFORM_FLAGS = {
  profile: { value: 'FILE', help: 'Profile of the mock. Default: the built-in one.' },
  allow: {
    value: 'ID',
    help: 'An assumption that may be contradicted, such as P-017. Repeatable, or P-017,P-018.',
    isList: true
  },
  html: { value: 'FILE', help: 'Write the report as a page.' },
  json: { value: 'FILE', help: 'Write the report as JSON. For each report, - is the standard output.' },
  junit: { value: 'FILE', help: 'Write the report as JUnit XML, with a case for each assumption.' }
} as const satisfies Flags

export const CONFORM: Command = {
  usage: ['conform FILE… [options]'],
  about: `Compares the mock with recorded replies of a real service: replays the exchanges
of HTTP Archives (see 'svc-mock record') and of svc-mock recordings against a
fresh sandbox, with its clock at the recorded times, and says which of the mock's
assumptions are confirmed, contradicted or unseen.`,
  flags: CONFORM_FLAGS,
  examples: ['conform service.har', 'conform service.har --profile profile.yaml --html report.html --allow P-017'],
  exits: '0 no contradiction, 1 contradictions, 2 usage error, or nothing to compare.'
}
