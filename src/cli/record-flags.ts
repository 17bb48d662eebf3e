import type { Flag } from './ctl-commands.js'

/** Options of `record`. */
export const RECORD_FLAGS: Readonly<Record<string, Flag>> = {
  upstream: { value: 'URL', help: 'Address of the service, with its base path if it has one. https is verified.' },
  out: { value: 'FILE', help: 'The HTTP Archive (HAR) to write. Only its owner may read it.' },
  host: { value: 'HOST', help: 'Address to listen on. Default: 127.0.0.1.' },
  port: { value: 'PORT', help: 'Port to listen on; 0 takes a free one. Default: 4701.' },
  force: { help: 'Replace an existing file.' },
  'mask-key': {
    value: 'FILE',
    help: 'A secret by which names are replaced, so that recordings go together. Created if there is none.'
  },
  'dry-run': { help: 'Print what would be written instead.' },
  timeout: { value: 'DURATION', help: 'How long the service may send nothing, such as 90s or 5m. Default: 2m.' },
  'max-body': { value: 'BYTES', help: 'Larger bodies pass, but are left out of the file. Default: 1048576.' }
}
