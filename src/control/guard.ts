import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../errors.js'
import { callerOf, isLoopback } from '../http/addresses.js'
import { sandboxIdOf } from '../http/credentials.js'
import type { Options } from '../options.js'

type GuardOptions = Pick<Options, 'host' | 'control' | 'controlToken' | 'allowedHost' | 'corsOrigin' | 'trustProxy'>

/** Who the control API answers, in words. */
export function describeGuard({ control, controlToken }: GuardOptions): string {
  if (controlToken !== '') return 'with the token'
  return control === 'open' ? 'open' : 'from this machine'
}

/**
 * Keeps strangers from the control API: it answers this machine only, or whoever has the token, or everybody if it is
 * open. A page that a browser on this machine has loaded from elsewhere is a stranger too, and so is a name that somebody
 * lets point here (DNS rebinding).
 * @returns a function that throws {ServiceError} `forbidden`
 */
export function controlGuard(options: GuardOptions) {
  const addressOf = callerOf(options.trustProxy)
  const token = options.controlToken === '' ? undefined : digest(options.controlToken)
  const hosts = new Set([options.host, ...options.allowedHost].map((host) => host.toLowerCase()))

  return (request: FastifyRequest): void => {
    const problem = strangeOrigin(request) ?? strangeHost(request) ?? strangeCaller(request)
    if (problem !== undefined) throw new ServiceError('forbidden', `The control API refuses ${problem}.`)
  }

  function strangeOrigin({ headers: { origin, host } }: FastifyRequest): string | undefined {
    if (origin === undefined || options.corsOrigin.includes(origin)) return undefined
    const isOwn = host !== undefined && (origin === `http://${host}` || origin === `https://${host}`)
    return isOwn ? undefined : `pages of another origin (${origin}); name it by --cors-origin to let it in`
  }

  function strangeHost({ headers: { host } }: FastifyRequest): string | undefined {
    const name = hostName(host ?? '')
    const isKnown = name === 'localhost' || name.endsWith('.localhost') || isLoopback(name) || hosts.has(name)
    return isKnown ? undefined : `requests for the host ${name}; name it by --allowed-host to let them in`
  }

  function strangeCaller(request: FastifyRequest): string | undefined {
    if (token !== undefined) {
      if (request.routeOptions.config.isPage === true) return undefined
      const given = request.headers['x-mock-token']
      const isRight = typeof given === 'string' && timingSafeEqual(digest(given), token)
      return isRight ? undefined : 'requests without the right token; send it as X-Mock-Token'
    }
    if (options.control === 'open') return undefined
    const caller = addressOf(request)
    return isLoopback(caller) ? undefined : `callers from elsewhere (${caller}); use --control-token or --control open to let them in`
  }
}

/** Of one length for every token, as the comparison in constant time needs it. */
const digest = (text: string) => Buffer.from(sandboxIdOf(text), 'hex')

/** The name in a Host header, without port and brackets. */
function hostName(host: string): string {
  return (/^\[(.*)\](:\d+)?$/.exec(host)?.[1] ?? host.replace(/:\d+$/, '')).toLowerCase()
}
