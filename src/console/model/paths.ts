/** Removes the prefix that all paths share. */
export const shortPath = (path: string) => path.replace(/^.*\/controller\/v4\/v2/, '')
