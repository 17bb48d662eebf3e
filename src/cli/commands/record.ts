import type { Command, Flags } from '../command.js'

export const RECORD_FLAGS = {
  upstream: { value: 'URL', help: 'Address of the service, with its base path if it has one. https is verified.' },
  out: { value: 'FILE', help: 'The HTTP Archive (HAR) to write. Only its owner may read it.' },
  host: { value: 'HOST', help: 'Address to listen on.', default: '127.0.0.1' },
  'allowed-host': {
    value: 'NAME',
    help: 'A name under which it may be called, besides localhost and --host. Repeatable.',
    isList: true
  },
  port: { value: 'PORT', help: 'Port to listen on; 0 takes a free one.', default: '4701' },
  force: { help: 'Replace an existing file.' },
  'mask-key': {
    value: 'FILE',
    help: 'A secret by which names are replaced, so that recordings go together. Created if there is none.'
  },
  keep: {
    value: 'FIELD',
    help: 'A field or header whose values stay, or a path such as /plans/{id} whose words stay. Repeatable.',
    isList: true
  },
  profile: { value: 'FILE', help: 'A profile; the values that it declares stay. Default: the built-in one.' },
  'dry-run': { help: 'Print what would be written instead, and at the end the texts that stay.' },
  timeout: { value: 'DURATION', help: 'How long the service may send nothing, such as 90s or 5m.', default: '2m' },
  'max-body': {
    value: 'BYTES',
    help: 'Larger bodies pass, but are left out of the file. At most 8388608.',
    default: '1048576'
  }
} as const satisfies Flags

export const RECORD: Command = {
  usage: ['record --upstream URL --out FILE [options]'],
  about: `Records what a client and a real service say to each other, for comparisons with
svc-mock. It is a proxy before the service: point the client at its address
instead. Requests and replies pass unchanged. In the file, only values that the
interface declares, times and small numbers stay; every other text is replaced,
one to one, before it is written. With --dry-run, look at the result first. The
file is whole after each exchange. Ends with Ctrl+C.`,
  flags: RECORD_FLAGS,
  notes: `A service with a certificate of your own CA needs NODE_EXTRA_CA_CERTS=ca.pem in
the environment.`,
  examples: [
    'record --upstream https://api.example.test --out service.har',
    'record --upstream https://api.example.test --dry-run'
  ],
  exits: `0 stopped, 1 the file lacks something or the address cannot be used,
2 mistake in the command line.`
}
