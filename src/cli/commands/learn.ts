import type { Command, Flags } from '../command.js'

export const LEARN_FLAGS = {
  openapi: { value: 'FILE', help: "The service's own document: OpenAPI 3 or Swagger 2, in JSON or YAML." },
  name: { value: 'NAME', help: 'Name of the profile. Default: the title of the document, or learned.' },
  out: { value: 'FILE', help: 'Where to write the profile. Default: the standard output.' },
  force: { help: 'Overwrite that file.' }
} as const satisfies Flags

export const LEARN: Command = {
  usage: ['learn [FILE…] [--openapi FILE] [options]'],
  about: `Writes a profile under which svc-mock behaves as a service does. It learns from
what is recorded in the files, which are HTTP Archives (HAR) or recordings, and
from the OpenAPI document of the service. With both, what was seen wins.

Exchanges show durations, words for states, what can be created, further, missing
and renamed fields, messages, quotas, and what is answered before the service. A
comment says how often each was seen. The document has names, fields, values and
paths, and stubs for operations that svc-mock does not simulate. The same input
always gives the same profile. What cannot be told for certain is a comment that
begins with "Unclear"; an assumption that the exchanges still contradict, one that
begins with "Still differs". Read these before you use the profile. Nothing is
fetched: references to other documents are only named.`,
  flags: LEARN_FLAGS,
  examples: [
    'learn service.har --out profile.yaml',
    'learn monday.har tuesday.har --openapi service.yaml --out profile.yaml'
  ],
  exits: `0 done, 1 nothing can be learned from the files, 2 mistake in the
command line, or a file of exchanges that cannot be read.`
}
