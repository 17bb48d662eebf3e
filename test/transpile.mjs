import { register } from 'node:module'

// Tests run TypeScript as it is. Each of their processes loads most of the sources: with TypeScript's own transpiler,
// that took most of the time of all tests. These hooks come before those of the test runner.
register('./transpile-hooks.mjs', import.meta.url)
