import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../interface/errors.js'
import { foreignDomain, foreignHost, foreignPage } from '../../interface/foreign-pages.js'
import { callerOf, isLoopback } from '../../lib/ip.js'
import { sandboxIdOf } from '../../lib/secrets.js'
import type { Options } from '../../options.js'
import type { OnRequest } from '../request-context.js'

type GuardOptions = Pick<
  Options,
  'host' | 'control' | 'controlToken' | 'allowedHost' | 'corsOrigin' | 'trustProxy' | 'auth'
>

/** The callers that the control API accepts, for the line that the server prints. */
export function describeGuard({ control, controlToken }: GuardOptions): string {
  if (controlToken !== '') return 'with the token'
  return control === 'open' ? 'open' : 'from this machine'
}

/**
 * Protects the control API. Only this machine may call it, or any caller with the token, or everybody if it is open.
 * Also refuses pages of other origins in a browser on this machine, and unknown host names that resolve to it (DNS
 * rebinding). With `--auth off`, where a page needs no key, operations refuse them as well.
 */
export function guard(options: GuardOptions): OnRequest {
  const addressOf = callerOf(options.trustProxy)
  const token = options.controlToken === '' ? undefined : digest(options.controlToken)
  const trusted = {
    corsOrigin: options.corsOrigin,
    hosts: new Set([options.host, ...options.allowedHost].map((host) => host.toLowerCase()))
  }

  return (request, _reply, done) => {
    if (request.route.config.isControl === true) {
      const problem = strangePage(request) ?? foreignHost(request.headers, trusted) ?? strangeCaller(request)
      if (problem !== undefined) throw new ServiceError('forbidden', `The control API refuses ${problem}.`)
    } else if (options.auth === 'off' && request.route.config.access !== undefined) {
      const problem = foreignPage(request.headers, trusted) ?? foreignDomain(request.headers, trusted)
      if (problem !== undefined) throw new ServiceError('forbidden', `With --auth off, the server refuses ${problem}.`)
    }
    done()
  }

  function strangePage({ headers, route }: FastifyRequest): string | undefined {
    // A link may lead to a page, which contains no data.
    const isLink = route.config.isPage === true && headers['sec-fetch-mode'] === 'navigate'
    return isLink && headers.origin === undefined ? undefined : foreignPage(headers, trusted)
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
        'callers behind a proxy that is not trusted, or does not identify them; use --trust-proxy, ' +
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
