import type { Command, Flags } from '../command.js'

export const RECORD_FLAGS = {
  upstream: { value: 'URL', help: 'Address of the service, with its base path if it has one. https is verified.' },
  out: { value: 'FILE', help: 'The HTTP Archive (HAR) to write. Only its owner may read it.' },
  host: { value: 'HOST', help: 'Address to listen on.', default: '127.0.0.1' },
  'allowed-host': {
    value: 'NAME',
    help: 'A name by which clients may call it, in addition to localhost and --host. Repeatable.',
    isList: true
  },
  port: { value: 'PORT', help: 'Port to listen on; 0 takes a free one.', default: '4701' },
  force: { help: 'Replace an existing file.' },
  'mask-key': {
    value: 'FILE',
    help: 'A secret for masking: archives that share it mask a name in the same way. Created if it does not exist.'
  },
  keep: {
    value: 'FIELD',
    help: 'A field or header whose values are kept, or a path such as /plans/{id} whose words are kept. Repeatable.',
    isList: true
  },
  profile: { value: 'FILE', help: 'A profile; the values that it declares are kept. Default: the built-in one.' },
  'dry-run': { help: 'Print what would be written instead, and at the end the texts that are kept.' },
  timeout: { value: 'DURATION', help: 'How long the service may be silent, such as 90s or 5m.', default: '2m' },
  'max-body': {
    value: 'BYTES',
    help: 'Larger bodies pass, but are omitted from the file. At most 8388608.',
    default: '1048576'
  }
} as const satisfies Flags

export const RECORD: Command = {
  usage: ['record --upstream URL --out FILE [options]'],
  about: `Records the exchanges between a client and a real service, for comparisons with
svc-mock. It is a proxy in front of the service: point the client at its address
instead. Requests and replies pass unchanged. The file keeps only values that the
interface declares, times and small numbers; every other text is replaced, one to
one, before it is written. Check the result with --dry-run first. The file is
valid after each exchange, and complete when Ctrl+C has stopped it.`,
  flags: RECORD_FLAGS,
  notes: `For a service with a certificate of your own CA, set NODE_EXTRA_CA_CERTS=ca.pem in
the environment.`,
  examples: [
    'record --upstream https://api.example.test --out service.har',
    'record --upstream https://api.example.test --dry-run'
  ],
  exits: '0 stopped, 1 the file is incomplete or the address cannot be used, 2 usage error.'
}
