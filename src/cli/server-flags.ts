import { OPTIONS } from '../options.js'

/** The flags of a server, as `parseArgs()` wants them. */
export const SERVER_FLAGS = Object.fromEntries(
  Object.values(OPTIONS).map(({ flag, default: value, ...rest }) => [
    flag.slice(2),
    { type: 'placeholder' in rest ? ('string' as const) : ('boolean' as const), multiple: Array.isArray(value) }
  ])
)
