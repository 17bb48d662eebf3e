/** Removes the prefix that all paths share. */
export const shortPath = (path: string) => path.replace(/^.*\/controller\/v4\/v2/, '')

/** Shortens the UUIDs of a path, so that its end stays in sight. */
export const withShortIds = (path: string) =>
  path.replaceAll(/([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '$1…')

/** The ids of workgroups, workspaces and databases that a path names, in order. */
export function idsInPath(path: string): string[] {
  return [...path.matchAll(/\/(?:workgroups|workspaces|databases)\/([^/]+)/g)].map(([, id]) => decoded(id!))
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    // A client may send any path.
    return segment
  }
}
