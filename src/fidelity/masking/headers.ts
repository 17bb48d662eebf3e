/** Headers whose values are kept, but for what is masked in any text. */
const KEPT = new Set(
  `accept accept-charset accept-encoding accept-language accept-ranges access-control-allow-credentials
  access-control-allow-headers access-control-allow-methods access-control-allow-origin access-control-expose-headers
  access-control-max-age access-control-request-headers access-control-request-method age allow cache-control
  content-encoding content-language content-range content-type date
  deprecation etag expect expires host if-match if-modified-since if-none-match if-range if-unmodified-since
  last-modified link location origin pragma prefer preference-applied range referer referrer-policy retry-after server
  strict-transport-security sunset traceparent user-agent vary warning www-authenticate x-content-type-options
  x-correlation-id x-frame-options x-request-id`.split(/\s+/)
)

/** Those whose values are kept: limits of the number of requests. */
const LIMITS = /^(?:x-)?rate-?limit(?:-[a-z]+)*$/

/** They are about one connection, or about the length of what is masked. */
const LEFT_OUT = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade'
])

/** Whether the value of a header is kept. */
export function isKept(header: string): boolean {
  return KEPT.has(header) || LIMITS.test(header)
}

/** Whether a header is left out. */
export function isLeftOut(header: string): boolean {
  return LEFT_OUT.has(header)
}
