/** The fields of an object and their values, on one line. */
export function inWords(fields: object): string {
  return Object.entries(fields)
    .map(([name, value]: [string, unknown]) =>
      typeof value === 'object' && value !== null ? `${name} (${inWords(value)})` : `${name} ${String(value)}`
    )
    .join(', ')
}
