/** A call, as a command line shows it. */
interface Call {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** A call as a curl command for a POSIX shell. */
export function curl({ method, url, headers, body }: Call): string {
  return [
    'curl',
    ...(method === 'GET' ? [] : ['-X', method]),
    quoted(url),
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', quoted(`${name}: ${value}`)]),
    ...(body === undefined ? [] : ['-H', quoted('content-type: application/json'), '-d', quoted(JSON.stringify(body))])
  ].join(' ')
}

/** In single quotes, a shell takes everything but the quote itself as it is. */
export const quoted = (text: string) =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
