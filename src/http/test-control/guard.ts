import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../lib/errors.js'
import { callerOf, isLoopback } from '../../lib/ip.js'
import type { Options } from '../../options.js'
import { sandboxIdOf } from '../../sandboxes/keys.js'
import type { OnRequest } from '../request-context.js'

type GuardOptions = Pick<
  Options,
  'host' | 'control' | 'controlToken' | 'allowedHost' | 'corsOrigin' | 'trustProxy' | 'auth'
>

/** Describes the callers that the control API accepts. */
export function describeGuard({ control, controlToken }: GuardOptions): string {
  if (controlToken !== '') return 'with the token'
  return control === 'open' ? 'open' : 'from this machine'
}

/**
 * Protects the control API. Only this machine may call it, or any caller with the token, or everybody if it is open.
 * Also refuses pages from other origins in a browser on this machine, and unknown host names that resolve to it (DNS
 * rebinding). If no credential is needed, also refuses changes by such pages through the interface.
 */
export function guard(options: GuardOptions): OnRequest {
  const addressOf = callerOf(options.trustProxy)
  const token = options.controlToken === '' ? undefined : digest(options.controlToken)
  const hosts = new Set([options.host, ...options.allowedHost].map((host) => host.toLowerCase()))

  return (request, _reply, done) => {
    if (request.route.config.isControl === true) {
      const problem = strangeOrigin(request) ?? strangeSite(request) ?? strangeHost(request) ?? strangeCaller(request)
      if (problem !== undefined) throw new ServiceError('forbidden', `The control API refuses ${problem}.`)
    } else if (options.auth === 'off' && request.method !== 'GET' && request.method !== 'HEAD') {
      const problem = strangeSite(request)
      if (problem !== undefined)
        throw new ServiceError('forbidden', `With --auth off, the server refuses changes by ${problem}.`)
    }
    done()
  }

  function strangeOrigin({ headers: { origin, host } }: FastifyRequest): string | undefined {
    if (origin === undefined || options.corsOrigin.includes(origin)) return undefined
    const isOwn = host !== undefined && (origin === `http://${host}` || origin === `https://${host}`)
    return isOwn ? undefined : `pages of another origin (${origin}); allow it with --cors-origin`
  }

  /** Browsers send this header even without an origin, for example for an image or a form. */
  function strangeSite({ headers, route }: FastifyRequest): string | undefined {
    const { origin, 'sec-fetch-site': site = 'none', 'sec-fetch-mode': mode } = headers
    if (site === 'none' || site === 'same-origin' || (origin !== undefined && options.corsOrigin.includes(origin)))
      return undefined
    // A link may lead to a page, which contains no data.
    if (route.config.isPage === true && mode === 'navigate') return undefined
    return `pages of another origin (${site}); allow it with --cors-origin`
  }

  function strangeHost({ headers: { host } }: FastifyRequest): string | undefined {
    const name = hostName(host ?? '')
    const isKnown = name === 'localhost' || name.endsWith('.localhost') || isLoopback(name) || hosts.has(name)
    return isKnown ? undefined : `requests for the host ${name}; allow it with --allowed-host`
  }

  function strangeCaller(request: FastifyRequest): string | undefined {
    if (token !== undefined) {
      if (request.route.config.isPage === true) return undefined
      const given = request.headers['x-mock-token']
      const isRight = typeof given === 'string' && timingSafeEqual(digest(given), token)
      return isRight ? undefined : 'requests without the right token; send it as X-Mock-Token'
    }
    if (options.control === 'open') return undefined
    const { address, isHidden } = addressOf(request)
    if (isHidden)
      return (
        'callers behind a proxy that is not trusted, or does not say who they are; use --trust-proxy, ' +
        '--control-token or --control open to let them in'
      )
    // A remote proxy may call another machine "localhost".
    const isHere = isLoopback(address) && isLoopback(request.socket.remoteAddress ?? '')
    return isHere
      ? undefined
      : `callers from elsewhere (${address}); use --control-token or --control open to let them in`
  }
}

/** The same length for every token, as a constant-time comparison requires. */
const digest = (text: string) => Buffer.from(sandboxIdOf(text), 'hex')

/** The name in a Host header, without port and brackets. */
function hostName(host: string): string {
  return (/^\[(.*)\](:\d+)?$/.exec(host)?.[1] ?? host.replace(/:\d+$/, '')).toLowerCase()
}
