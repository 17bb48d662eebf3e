/**
 * Divides a path where it leaves what all paths of the interface begin with.
 * @param prefix what they begin with
 */
export function splitPath(path: string, prefix: string): [beginning: string, rest: string] {
  const [own, wanted] = [path.split('/'), prefix.split('/')]
  const differs = wanted.findIndex((segment, index) => segment !== own[index])
  const shared = own.slice(0, differs === -1 ? wanted.length : differs).join('/')
  return [shared, path.slice(shared.length)]
}

/** Removes the prefix that all paths share. */
export const shortPath = (path: string, prefix: string) => {
  const [beginning, rest] = splitPath(path, prefix)
  return beginning === prefix ? rest : path
}

/** Shortens the UUIDs of a path, so that its end stays in sight. */
export const withShortIds = (path: string) =>
  path.replaceAll(/([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '$1…')

/** The ids of workgroups, workspaces and databases that a path names, in order. */
export function idsInPath(path: string): string[] {
  return [...path.matchAll(/\/(?:workgroups|workspaces|databases)\/([^/]+)/g)].map(([, id]) => decoded(id!))
}

/** A part of a path; as it is if nothing can decode it, because a client may send any path. */
export function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
