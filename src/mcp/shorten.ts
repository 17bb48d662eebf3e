const MOST_CHARACTERS = 12_000

/** The first limit for the items of a list; texts may have this many characters for each item of the limit. */
const MOST_ITEMS = 100
const FOR_EACH = 20

interface Shortened {
  readonly text: string
  /** What was omitted, and how to get it. */
  readonly note?: string
}

/** Writes a value as JSON of limited length: only the first items of long lists, and the beginning of long texts. */
export function shorten(value: unknown, most = MOST_CHARACTERS): Shortened {
  const whole = JSON.stringify(value)
  if (whole.length <= most) return { text: whole }
  const note = (shown: string) =>
    `This result is cut; in full, it has ${whole.length} characters. ${shown} To read the rest, call again with ` +
    'select, a JMESPath expression on result, such as keys(@), length(@) or name_of_a_list[10:20]; ' +
    'but a call that changes something would change it again.'
  for (let items = MOST_ITEMS; items > 0; items = Math.floor(items / 2)) {
    const text = JSON.stringify(cut(value, items, items * FOR_EACH))
    if (text.length <= most) return { text, note: note(`At most ${items} items of each list are shown.`) }
  }
  return { text: whole.slice(0, most), note: note(`The first ${most} are shown.`) }
}

function cut(value: unknown, items: number, characters: number): unknown {
  if (typeof value === 'string')
    return value.length <= characters ? value : `${value.slice(0, characters)}… ${value.length - characters} more`
  if (Array.isArray(value)) {
    const shown = value.slice(0, items).map((item) => cut(item, items, characters))
    return value.length <= items ? shown : [...shown, `… ${value.length - items} more`]
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cut(inner, items, characters)]))
}
