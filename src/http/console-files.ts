import { readFile } from 'node:fs/promises'
import { packageFile } from '../lib/package-file.js'
import { explainUnbuilt, pageHeaders, readFiles, type StaticFile } from './static-page.js'

/** Where `npm run build` puts the console. */
const DIRECTORY = packageFile('dist/console/')

/** The page runs its own scripts, uses its own styles, and talks to this server only. */
export const CONSOLE_HEADERS = pageHeaders([
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
])

/** What the console is made of. */
export interface ConsoleFiles {
  /** Its page, with `content="settings"` where the settings belong. */
  readonly template: string
  /** By name; each name contains a hash of the contents. */
  readonly assets: ReadonlyMap<string, StaticFile>
}

/** Reads the console. @throws {ServiceError} if it is not built */
export async function readConsole(directory = DIRECTORY): Promise<ConsoleFiles> {
  const template = await readFile(new URL('index.html', directory), 'utf8').catch(
    explainUnbuilt('console', 'dist/console')
  )
  return { template, assets: await readFiles(new URL('assets/', directory)) }
}
