import { GROUPS } from './groups.js'

const group = process.env.MUTANTS
const { mutate, tests } = GROUPS[group]

// A mutant that loops is noticed by how often it is passed; on a busy machine, time proves nothing.
const patience = 60
process.env.TAP_TIMEOUT = String(patience)

export default {
  mutate,
  plugins: ['@stryker-mutator/tap-runner'],
  testRunner: 'tap',
  tap: { testFiles: tests.map((test) => `test/${test}.js`), forceBail: true },
  coverageAnalysis: 'perTest',
  // All mutants of a group are in one build, which is made once; a variable chooses one.
  buildCommand: 'tsc -p test/mutants/tsconfig.json',
  ignorePatterns: ['**', '!src/**/*', '!test/**/*', '!migrations/*', '!docs/**/*', '!package.json', '!tsconfig.json'],
  tempDirName: `.stryker-tmp/${group}`,
  concurrency: 2,
  timeoutMS: patience * 1000,
  reporters: ['json', 'progress-append-only'],
  jsonReporter: { fileName: `.stryker-tmp/${group}.json` }
}
