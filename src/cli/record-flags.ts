import type { Flag } from './ctl-commands.js'

/** Options of `record`. */
export const RECORD_FLAGS: Readonly<Record<string, Flag>> = {
  upstream: { value: 'URL', help: 'Address of the service, with its base path if it has one. https is verified.' },
  out: { value: 'FILE', help: 'The HTTP Archive (HAR) to write. Only its owner may read it.' },
  host: { value: 'HOST', help: 'Address to listen on. Default: 127.0.0.1.' },
  'allowed-host': {
    value: 'NAME',
    help: 'A name under which it may be called, besides localhost and --host. Repeatable.'
  },
  port: { value: 'PORT', help: 'Port to listen on; 0 takes a free one. Default: 4701.' },
  force: { help: 'Replace an existing file.' },
  'mask-key': {
    value: 'FILE',
    help: 'A secret by which names are replaced, so that recordings go together. Created if there is none.'
  },
  keep: {
    value: 'FIELD',
    help: 'A field or header whose values stay, or a path such as /plans/{id} whose words stay. Repeatable.'
  },
  profile: { value: 'FILE', help: 'A profile; the values that it declares stay. Default: the built-in one.' },
  'dry-run': { help: 'Print what would be written instead, and at the end the texts that stay.' },
  timeout: { value: 'DURATION', help: 'How long the service may send nothing, such as 90s or 5m. Default: 2m.' },
  'max-body': {
    value: 'BYTES',
    help: 'Larger bodies pass, but are left out of the file. At most 8388608. Default: 1048576.'
  }
}
