// What cells of tables show instead of the values that the server sends.

/** How many ids a cell names. */
const NAMED = 3

/** A time of today without its date. */
function timeOfDay(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const today = new Date().toISOString().slice(0, 10)
  return value.startsWith(today) ? value.slice(11, 19) : value
}

/** The path of a call of an operation without what all of them begin with. An unknown path may be wrong just there. */
function pathOfCall(value: unknown, { operation }: Readonly<Record<string, unknown>>): unknown {
  const isCall = typeof value === 'string' && typeof operation === 'string'
  return isCall ? value.replace(/^.*?\/controller\/v4\/v2(?=\/)/, '') : value
}

/** The first ones of a list of ids, and how many more there are. */
function idsOf(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  const more = value.length - NAMED
  return `${value.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** What a cell shows, by the names that the calls have for it. */
export const CELLS = { timeOfDay, pathOfCall, idsOf }
