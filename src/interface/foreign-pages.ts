import { isIP } from 'node:net'
import { isLoopback } from '../lib/ip.js'

/** Headers of a request, by name in lower case. */
type Headers = Readonly<Record<string, string | string[] | undefined>>

/** The pages and names that are trusted. */
export interface Trusted {
  readonly corsOrigin: readonly string[]
  /** Names of this server in lower case, besides localhost. */
  readonly hosts: ReadonlySet<string>
}

/** Why a request may come from a page of another origin in a browser; undefined: it does not, as far as one can see. */
export function foreignPage({ origin, host, 'sec-fetch-site': site = 'none' }: Headers, trusted: Trusted) {
  if (typeof origin === 'string') {
    if (trusted.corsOrigin.includes(origin)) return undefined
    if (origin !== `http://${String(host)}` && origin !== `https://${String(host)}`)
      return `pages of another origin (${origin}); allow it with --cors-origin`
  }
  // Browsers send this header even without an origin, for example for an image or a form.
  return site === 'none' || site === 'same-origin'
    ? undefined
    : `pages of another origin (${String(site)}); allow it with --cors-origin`
}

/** Why the host of a request may be a foreign name that was made to lead here (DNS rebinding). */
export function foreignHost({ host }: Headers, { hosts }: Trusted): string | undefined {
  const name = hostName(String(host ?? ''))
  const isKnown = name === 'localhost' || name.endsWith('.localhost') || isLoopback(name) || hosts.has(name)
  return isKnown ? undefined : `requests for the host ${name}; allow it with --allowed-host`
}

/** The same, but an address and a name without a dot, as containers have, are no names that anybody can register. */
export function foreignDomain(headers: Headers, trusted: Trusted): string | undefined {
  const name = hostName(String(headers['host'] ?? ''))
  return isIP(name) !== 0 || !name.includes('.') ? undefined : foreignHost(headers, trusted)
}

/** The name in a Host header, without port and brackets. */
function hostName(host: string): string {
  return (/^\[(.*)\](:\d+)?$/.exec(host)?.[1] ?? host.replace(/:\d+$/, '')).toLowerCase()
}
