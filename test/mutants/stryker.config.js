import { GROUPS } from './groups.js'

const group = process.env.MUTANTS
const isSample = process.env.SAMPLE !== undefined

export default {
  // Data for documents, and for the comparison with a service, which has tests of its own.
  mutate: [...GROUPS[group].mutate, '!src/**/{assumptions,comparable}.ts'],
  plugins: ['./test/mutants/in-process.js', './test/mutants/sample.js', './test/mutants/prose.js'],
  ignorers: isSample ? ['prose', 'sample'] : ['prose'],
  testRunner: 'in-process',
  // What mutants leave behind in a process must not add up.
  maxTestRunnerReuse: 200,
  coverageAnalysis: 'perTest',
  // Each of these needs a process of its own.
  ignoreStatic: isSample,
  // All mutants of a group are in one build, which is made once; a variable chooses one.
  buildCommand: 'tsc -p test/mutants/tsconfig.json',
  ignorePatterns: [
    '**',
    '!src/**/*',
    '!test/**/*',
    '!generated/**/*',
    '!migrations/*',
    '!docs/**/*',
    '!examples/*',
    '!*.md',
    '!package.json',
    '!tsconfig.json'
  ],
  tempDirName: `.stryker-tmp/${group}`,
  concurrency: 2,
  // A mutant that loops is noticed by how often it is passed; on a busy machine, time proves little.
  timeoutMS: 15_000,
  reporters: ['json', 'progress-append-only'],
  jsonReporter: { fileName: `.stryker-tmp/${isSample ? 'sample/' : ''}${group}.json` }
}
