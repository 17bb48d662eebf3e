import type { Command, Flags } from '../command.js'

export const LEARN_FLAGS = {
  openapi: { value: 'FILE', help: "The service's own document: OpenAPI 3 or Swagger 2, in JSON or YAML." },
  name: { value: 'NAME', help: 'Name of the profile. Default: the title of the document, or learned.' },
  out: { value: 'FILE', help: 'Where to write the profile. Default: the standard output.' },
  force: { help: 'Overwrite that file.' }
} as const satisfies Flags

export const LEARN: Command = {
  usage: ['learn [FILE…] [--openapi FILE] [options]'],
  about: `Writes a profile that makes svc-mock behave like a service. It learns from files
with recorded exchanges, which are HTTP Archives (HAR) or svc-mock recordings, and
from the OpenAPI document of the service. If they disagree, the exchanges win.

Exchanges show durations, names of states, what can be created, added, missing and
renamed fields, messages, quotas, and replies from in front of the service. A
comment says how often each was seen. The document has names, fields, values and
paths, and stubs for operations that svc-mock does not simulate. The same input
always gives the same profile. A comment that begins with "Unclear" marks what is
uncertain; one that begins with "Still differs", an assumption that the exchanges
still contradict. Read these before you use the profile. References to other
documents are named, but not fetched.`,
  flags: LEARN_FLAGS,
  examples: [
    'learn service.har --out profile.yaml',
    'learn monday.har tuesday.har --openapi service.yaml --out profile.yaml'
  ],
  exits: `0 done, 1 nothing can be learned from the files, 2 usage error, or a file
of exchanges that cannot be read.`
}
