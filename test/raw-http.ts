const JSON_TYPE = 'Content-Type: application/json'

/** The head of a request as it travels. */
export const headOf = (method: string, path: string, key: string, ...headers: readonly string[]): string =>
  [`${method} ${path} HTTP/1.1`, 'Host: localhost', `X-Api-Key: ${key}`, ...headers, '', ''].join('\r\n')

/** The beginning of a request with a body in JSON. @param length of the whole body */
export const beginningOf = (method: string, path: string, key: string, length: number, body = ''): string =>
  headOf(method, path, key, JSON_TYPE, `Content-Length: ${length}`) + body

/** A request with a body in JSON. */
export const requestWith = (method: string, path: string, key: string, body: string): string =>
  beginningOf(method, path, key, Buffer.byteLength(body), body)
