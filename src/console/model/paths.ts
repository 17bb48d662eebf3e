import { percentDecoded } from '../../lib/percent-decoded.js'

/** Splits a path after the segments that it shares with the prefix. */
export function splitPath(path: string, prefix: string): [beginning: string, rest: string] {
  const [own, wanted] = [path.split('/'), prefix.split('/')]
  const differs = wanted.findIndex((segment, index) => segment !== own[index])
  const shared = own.slice(0, differs === -1 ? wanted.length : differs).join('/')
  return [shared, path.slice(shared.length)]
}

/** Removes the prefix from a path that has all of it. */
export const shortPath = (path: string, prefix: string) => {
  const [beginning, rest] = splitPath(path, prefix)
  return beginning === prefix ? rest : path
}

/** Shortens the UUIDs of a path, so that its end stays visible. */
export const withShortIds = (path: string) =>
  path.replaceAll(/([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '$1…')

/** The segments of a path after the prefix. Which of them are ids is up to the profile. */
export const segmentsOf = (path: string, prefix: string) => shortPath(path, prefix).split('/').map(percentDecoded)
