import { mask } from '../lib/secrets.js'
import { isVisible, NOT_VISIBLE } from '../lib/visible.js'
import { UsageError } from './usage.js'

/** The default address of a server. */
const DEFAULT_URL = 'http://127.0.0.1:4700'

/** The environment variables that replace absent flags. */
export const CLIENT_VARIABLES = { url: 'SVC_MOCK_URL', key: 'SVC_MOCK_KEY', token: 'SVC_MOCK_TOKEN' } as const

/** The flag for its address. */
export const URL_FLAG = {
  value: 'URL',
  help: `Address of the server. Default: ${DEFAULT_URL}. Environment: ${CLIENT_VARIABLES.url}.`
} as const

/** A server, with credentials for a sandbox and for test control. */
export interface Target {
  readonly url: string
  readonly key: string | undefined
  readonly token: string | undefined
}

export type Environment = Readonly<Record<string, string | undefined>>
type Flags = Readonly<Record<string, string | undefined>>
type Name = keyof typeof CLIENT_VARIABLES

/** Reads the address of a server; a flag overrides its variable. @throws {UsageError} naming the invalid one */
export function urlOf(flags: Flags, env: Environment): string {
  const { value = DEFAULT_URL, source } = given('url', flags, env)
  return originOf(value, source)
}

/** @throws {UsageError} naming the invalid flag or variable, but never a secret */
export function targetOf(flags: Flags, env: Environment): Target {
  const secret = (name: Name) => {
    const { value, source } = given(name, flags, env)
    if (value !== undefined && !isVisible(value)) throw new UsageError(`${source} ${NOT_VISIBLE}`)
    return value
  }
  return { url: urlOf(flags, env), key: secret('key'), token: secret('token') }
}

function given(name: Name, flags: Flags, env: Environment): { value: string | undefined; source: string } {
  if (flags[name] !== undefined) return { value: flags[name], source: `--${name}` }
  const source = CLIENT_VARIABLES[name]
  // Scripts and Compose files pass unset variables as empty ones.
  return { value: env[source] === '' ? undefined : env[source], source }
}

/** Without a slash at its end, because commands append paths to it. */
function originOf(url: string, source: string): string {
  // Messages must not show a password, or a token in a query.
  if (!URL.canParse(url) || !/^https?:/i.test(url))
    throw new UsageError(`${source} must be an http URL, but is ${mask(url).split(/[?#]/, 1)[0]}`)
  const { username, password, pathname, search, hash, origin } = new URL(url)
  if (username + password !== '') throw new UsageError(`${source} must have no user and no password`)
  if (pathname + search + hash !== '/')
    throw new UsageError(`${source} must be the address of a server without a path or a query, such as ${origin}`)
  return origin
}

/** An address that a client on this machine can call, even if the server listens on all addresses. */
export function reachable(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
}
