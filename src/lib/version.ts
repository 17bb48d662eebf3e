import { createRequire } from 'node:module'

/** The version in `package.json`, found by package name, because the build moves this module. */
export const VERSION = (createRequire(import.meta.url)('svc-mock/package.json') as { version: string }).version
