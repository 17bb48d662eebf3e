type Headers = Readonly<Record<string, string>>

// A header without a value is not a credential.

/** Whether a request has an API key. */
export const hasKey = (headers: Headers) => (headers['x-api-key'] ?? '').trim() !== ''

/** Whether a request has a session. */
export const hasSession = (headers: Headers) => /^Bearer \S/i.test(headers['authorization'] ?? '')

/** Whether a request has a credential of any kind, or its headers are unknown. */
export const mayHaveCredential = (headers: Headers) =>
  Object.keys(headers).length === 0 || hasKey(headers) || !/^(?:Bearer)?\s*$/i.test(headers['authorization'] ?? '')

/** Headers that say how a reply travelled, not what the service is: proxies and caches add and drop them. */
export const TRANSPORT_HEADERS: readonly string[] =
  `accept-ranges age alt-svc cache-control cf-cache-status cf-ray connection content-encoding content-length date etag
  expires keep-alive last-modified nel pragma referrer-policy report-to server set-cookie strict-transport-security
  transfer-encoding vary via x-amz-apigw-id x-amz-cf-id x-amz-cf-pop x-amzn-requestid x-amzn-trace-id x-cache
  x-content-type-options x-envoy-upstream-service-time x-frame-options x-powered-by x-xss-protection`.split(/\s+/)
