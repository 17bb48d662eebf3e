import { readFileSync } from 'node:fs'

/** Version of this package; the path is the same from `src` and from `dist`. */
export const VERSION = (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }).version
