import { register } from 'node:module'

// Tests run TypeScript directly. Each process loads most of the sources, for which TypeScript's own transpiler is too
// slow. These hooks precede those of the test runner.
register('./transpile-hooks.mjs', import.meta.url)
