import { compare } from './words.js'

/** A new name that was seen for a name in one place. */
export interface Vote {
  readonly name: string
  readonly other: string
}

/**
 * Settles one new name for each name, so that no two names become one.
 * @param votes what was seen, names that stay included
 * @param known all names, seen or not
 * @returns the new names of those that change
 */
export function settle(votes: readonly Vote[], known: Iterable<string>): Map<string, string> {
  const counts = new Map<string, Map<string, number>>()
  for (const { name, other } of votes) {
    const others = counts.get(name) ?? new Map<string, number>()
    counts.set(name, others.set(other, (others.get(other) ?? 0) + 1))
  }
  const renames = new Map<string, string>()
  const owners = new Map<string, string>()
  const ranked = [...counts]
    // One that stays anywhere stays everywhere: a new name would be wrong there.
    .filter(([name, others]) => !others.has(name))
    .flatMap(([name, others]) => [...others].map(([other, count]) => ({ name, other, count })))
    .sort((a, b) => b.count - a.count || compare(a.name, b.name) || compare(a.other, b.other))
  for (const { name, other } of ranked) {
    if (renames.has(name) || owners.has(other)) continue
    renames.set(name, other)
    owners.set(other, name)
  }
  // A name that keeps its own bars others from it, which then keep theirs as well.
  const names = new Set(known)
  for (let isSettled = false; !isSettled;) {
    isSettled = true
    for (const [name, other] of renames) {
      if (!names.has(other) || renames.has(other)) continue
      renames.delete(name)
      isSettled = false
    }
  }
  return new Map([...names].flatMap((name) => (renames.has(name) ? [[name, renames.get(name)!]] : [])))
}
