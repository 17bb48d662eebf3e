/** Maximum number of days of each month, from January. */
const MOST_DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']

/**
 * Whether none of a cron line's months has any of its days, as for 30 February: searching for such a date takes long.
 * Returns false for a line that it does not understand; other code reports the error.
 */
export function hasNoDate(line: string): boolean {
  const [, , days = '', months = '', weekdays = ''] = line.trim().toUpperCase().split(/\s+/)
  // A matching weekday is enough, unless the day must match as well.
  if (weekdays !== '*' && weekdays !== '?' && !weekdays.startsWith('+')) return false
  let firstDay = Infinity
  for (const part of days.split(',')) {
    const day = /^(\d+)W?(?:-\d+)?(?:\/\d+)?$/.exec(part)?.[1]
    if (day === undefined) return false
    firstDay = Math.min(firstDay, Number(day))
  }
  let mostDays = 0
  for (const part of months.split(',')) {
    const [, from, to, step] = /^(\d+|[A-Z]{3})(?:-(\d+|[A-Z]{3}))?(?:\/(\d+))?$/.exec(part) ?? []
    if (from === undefined) return false
    const first = monthOf(from)
    const last = monthOf(to ?? from)
    for (let month = first; month <= last; month += Math.max(1, Number(step ?? 1)))
      mostDays = Math.max(mostDays, MOST_DAYS[month - 1] ?? 31)
  }
  return firstDay > mostDays && mostDays > 0
}

const monthOf = (name: string): number => (/^\d/.test(name) ? Math.min(Number(name), 13) : MONTHS.indexOf(name) + 1)
