/** Without what all paths have in common. */
export const shortPath = (path: string) => path.replace(/^.*\/controller\/v4\/v2/, '')
