type Headers = Readonly<Record<string, string>>

// A header without a value is no credential.

/** Whether a request has an API key. */
export const hasKey = (headers: Headers) => (headers['x-api-key'] ?? '').trim() !== ''

/** Whether a request has a session. */
export const hasSession = (headers: Headers) => /^Bearer \S/i.test(headers['authorization'] ?? '')

/** Whether a request has a credential of any kind; also if its headers are not known. */
export const mayHaveCredential = (headers: Headers) =>
  Object.keys(headers).length === 0 || hasKey(headers) || !/^(?:Bearer)?\s*$/i.test(headers['authorization'] ?? '')
