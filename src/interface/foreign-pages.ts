import { isIP } from 'node:net'
import { isLoopback } from '../lib/ip.js'

/** Headers of a request, by name in lower case. */
type Headers = Readonly<Record<string, string | string[] | undefined>>

/** The pages and names that are trusted. */
export interface Trusted {
  readonly corsOrigin: readonly string[]
  /** Names of this server in lower case, except localhost. */
  readonly hosts: ReadonlySet<string>
}

/** The reason to refuse a request that a browser may have sent for a page of another origin. */
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

/** The reason to refuse a request whose host may be a foreign name that resolves to this machine (DNS rebinding). */
export function foreignHost({ host }: Headers, { hosts }: Trusted): string | undefined {
  const name = hostName(String(host ?? ''))
  const isKnown = name === 'localhost' || name.endsWith('.localhost') || isLoopback(name) || hosts.has(name)
  return isKnown ? undefined : `requests for the host ${name}; allow it with --allowed-host`
}

/** Like {@link foreignHost}, but allows what nobody can register: addresses, and names without a dot (containers). */
export function foreignDomain(headers: Headers, trusted: Trusted): string | undefined {
  const name = hostName(String(headers['host'] ?? ''))
  return isIP(name) !== 0 || !name.includes('.') ? undefined : foreignHost(headers, trusted)
}

/** The name in a Host header, without port and brackets. */
function hostName(host: string): string {
  return (/^\[(.*)\](:\d+)?$/.exec(host)?.[1] ?? host.replace(/:\d+$/, '')).toLowerCase()
}
