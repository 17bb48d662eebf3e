import { createRequire } from 'node:module'

/** The version in `package.json`, which is found by the package's name, wherever the build has put this module. */
export const VERSION = (createRequire(import.meta.url)('svc-mock/package.json') as { version: string }).version
