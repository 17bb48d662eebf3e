import type { Flag } from './ctl-commands.js'
import { RECORD_FLAGS } from './record-flags.js'

/** The options of `svc-mock conform`. */
export const CONFORM_FLAGS: Readonly<Record<string, Flag>> = {
  profile: { value: 'FILE', help: 'Profile that the mock is under. Default: the built-in one.' },
  allow: {
    value: 'ID',
    help: 'An assumption that may be contradicted, such as P-017. Repeatable, or P-017,P-018.',
    isList: true
  },
  html: { value: 'FILE', help: 'Write the report as a page.' },
  json: { value: 'FILE', help: 'Write the report as JSON. - is the standard output, here and for the other reports.' },
  junit: { value: 'FILE', help: 'Write the report as JUnit XML: a case for each assumption.' },
  live: {
    value: 'URL',
    help: 'Read everything that this service has, instead of files. Nothing is changed.'
  },
  key: { value: 'KEY', help: 'API key for --live. Default: SVC_MOCK_LIVE_KEY in the environment.' },
  session: {
    value: 'TOKEN',
    help: 'Session for --live, for what needs one. Default: SVC_MOCK_LIVE_SESSION in the environment.'
  },
  out: {
    value: 'FILE',
    help: 'Write the exchanges of --live, masked, as an HTTP Archive. Only its owner may read it.'
  },
  force: { help: 'Replace an existing file of --out.' },
  'mask-key': RECORD_FLAGS['mask-key']!
}
