/** Headers that say how a reply came here, not what the service is: proxies and caches add and drop them. */
export const TRANSPORT_HEADERS: readonly string[] =
  `accept-ranges age alt-svc cache-control cf-cache-status cf-ray connection content-encoding content-length date etag
  expires keep-alive last-modified nel pragma referrer-policy report-to server set-cookie strict-transport-security
  transfer-encoding vary via x-amz-apigw-id x-amz-cf-id x-amz-cf-pop x-amzn-requestid x-amzn-trace-id x-cache
  x-content-type-options x-envoy-upstream-service-time x-frame-options x-powered-by x-xss-protection`.split(/\s+/)
