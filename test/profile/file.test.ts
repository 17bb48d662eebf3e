import { join } from 'node:path'
import t from 'tap'
import { ProfileError, startMock } from '../../src/node/index.js'
import { BUILT_IN, toProfileDocument } from '../../src/profile/profile.js'
import { openProfile } from '../../src/resources/open-profile.js'
import { STATES } from '../../src/resources/states.js'
import { type Fields, oneOf, sentenceOf, wrongType } from '../messages.js'
import { REGIONS } from '../sandbox.js'

const failure = (given: string | object): Promise<Error> =>
  openProfile(given).then(
    () => {
      throw new Error('it was accepted')
    },
    (error: unknown) => error as Error
  )

const head = 'profile: 1\nname: x\n'

void t.test('a profile is YAML, JSON or an object, and only has differences', async (t) => {
  const document = { profile: 1, name: 'x', catalogue: { platforms: ['metal'] } }
  const directory = t.testdir({
    'a.yaml': `${head}catalogue: { platforms: [metal] }`,
    'a.json': JSON.stringify(document)
  })
  const { catalogue, ...rest } = toProfileDocument(BUILT_IN, STATES)
  const { defaults } = catalogue
  for (const given of [join(directory, 'a.yaml'), join(directory, 'a.json'), document])
    t.strictSame(toProfileDocument(await openProfile(given), STATES), {
      ...rest,
      name: 'x',
      catalogue: { ...catalogue, platforms: ['metal'], defaults: { ...defaults, platform: 'metal' } }
    })
  t.equal(await openProfile(''), BUILT_IN)
})

void t.test('the profile in force is shown completely, as a valid profile', async (t) => {
  const document = {
    profile: 1,
    name: 'x',
    catalogue: { defaults: { platform: 'gcp', region: 'eu-west-1', version: '4.2.0', workspace_type: 'SVC-4' } },
    durations: { 'backup.run': 'PT45S', 'workspace.pause': { min: 'PT1M', max: 'PT3M' } },
    quotas: { rw_workspaces: { default: 3, per: 'org', failed: true }, plans: { free: { rw_workspaces: 1 } } },
    states: { workspace: { Active: 'Up' }, deleted: { readable_for: 'PT5M' } },
    names: { fields: { creator: 'made_by' } },
    omit: { Workspace: ['agent_config', 'nginx_host'], Workgroup: ['creator'] }
  }
  const shown = toProfileDocument(await openProfile(document), STATES)
  t.match(shown, document)
  t.strictSame(shown.omit, document.omit)
  t.strictSame(toProfileDocument(await openProfile(shown), STATES), shown)
})

void t.test('a merge key, which YAML 1.2 does not have, is refused rather than ignored', async (t) => {
  const directory = t.testdir({
    'merged.yaml': `${head}fields:\n  Workspace: { a: &a { const: 1 }, b: { <<: *a } }\n`,
    'quoted.yaml': `${head}fields: { Workspace: { a: { const: { '<<': 1 } } } }\n`
  })
  t.match((await failure(join(directory, 'merged.yaml'))).message, /merge key .* line 4, column 41; write/)
  t.equal((await openProfile(join(directory, 'quoted.yaml'))).name, 'x')
})

void t.test('an invalid profile is refused in one line, with all problems and their places', async (t) => {
  const types = 'catalogue:\n  workspace_types:\n'
  const files: Record<string, [text: string, problem: Fields]> = {
    form: ['profile: 2\nnew_part: {}\n', { 'profile (line 1, column 1)': 'form' }],
    none: ['name: x\n', { 'profile (line 1, column 1)': 'required' }],
    part: [
      `${head}catalog: {}\ncolours: []\n`,
      {
        'catalog (line 3, column 1)': ['unknownInProfileMeant', { meant: 'catalogue' }],
        'colours (line 4, column 1)': 'unknownInProfile'
      }
    ],
    field: [
      `${head}catalogue:\n  regions:\n    - nmae: a\n`,
      {
        'catalogue.regions.0.name (line 5, column 7)': 'required',
        'catalogue.regions.0.nmae (line 5, column 7)': ['unknownInProfileMeant', { meant: 'name' }]
      }
    ],
    types: [
      `${head}${types}    - { typeName: a, cpu: true, memory: -1, partition: 1.5, ha: 0 }\n`,
      {
        'catalogue.workspace_types.0.cpu (line 5, column 22)': wrongType('number', 'boolean'),
        'catalogue.workspace_types.0.memory (line 5, column 33)': ['moreThan', { limit: 0 }],
        'catalogue.workspace_types.0.partition (line 5, column 45)': wrongType('integer', 'fraction'),
        'catalogue.workspace_types.0.ha (line 5, column 61)': ['atLeast', { limit: 1 }]
      }
    ],
    empty: [
      `${head}catalogue: { regions: [] }\n`,
      { 'catalogue.regions (line 3, column 14)': ['minItems', { limit: 1 }] }
    ],
    twice: [
      `${head}catalogue:\n  platforms: [a, a]\n  regions: [{ name: a }, { name: b }, { name: a }]\n`,
      {
        'catalogue.platforms.1 (line 4, column 18)': ['taken', { field: 'catalogue.platforms.0' }],
        'catalogue.regions.2.name (line 5, column 41)': ['taken', { field: 'catalogue.regions.0.name' }]
      }
    ],
    replicas: [
      `${head}${types}    - { typeName: a, cpu: 1, memory: 1, replicas: 3, ha: 2 }\n`,
      { 'catalogue.workspace_types.0.ha (line 5, column 54)': ['haBelow', { replicas: 3 }] }
    ],
    defaults: [
      `${head}catalogue:\n  defaults: { region: us-eats-1, version: '9', platform: aws2 }\n`,
      {
        'catalogue.defaults.platform (line 4, column 48)': oneOf('aws', 'azure', 'gcp'),
        'catalogue.defaults.region (line 4, column 15)': oneOf(...REGIONS),
        'catalogue.defaults.version (line 4, column 34)': oneOf('4.2.2', '4.2.1', '4.2.0', '4.1.3')
      }
    ],
    old: [
      `${head}catalogue:\n  versions: [{ name: a, create: false }, { name: b }]\n  defaults: { version: a }\n`,
      { 'catalogue.defaults.version (line 5, column 15)': oneOf('b') }
    ],
    uncreatable: [
      `${head}catalogue: { versions: [{ name: a, create: false }] }\n`,
      { 'catalogue.versions (line 3, column 14)': 'noneToCreate' }
    ],
    list: ['- profile: 1\n', { '': wrongType('object', 'array') }]
  }
  const directory = t.testdir(Object.fromEntries(Object.entries(files).map(([name, [text]]) => [name, text])))
  for (const [name, [, problem]] of Object.entries(files)) {
    const path = join(directory, name)
    const error = await failure(path)
    t.type(error, ProfileError, name)
    t.equal(
      error.message.replace(path, 'PATH'),
      `the profile PATH is not valid: ${sentenceOf(problem, {}, 'it')}`,
      name
    )
  }
  t.equal((await failure(join(directory, 'missing'))).message, `the profile ${directory}/missing does not exist`)
  t.equal((await failure('observd')).message, 'the profile observd does not exist; did you mean observed?')
})

void t.test('a profile from a program is refused in the same words, without places', async (t) => {
  for (const [profile, problem] of [
    [
      { profile: 1, name: 'x', catalogue: { defaults: { regoin: 'a' } } },
      { 'catalogue.defaults.regoin': ['unknownInProfileMeant', { meant: 'region' }] }
    ],
    [{}, { profile: 'required' }],
    [{ profile: { a: 1 } }, { profile: 'form' }]
  ] as const)
    await t.rejects(startMock({ profile: profile as never }), {
      name: 'ProfileError',
      message: `the profile is not valid: ${sentenceOf(problem, {}, 'it')}`
    })
  await t.rejects(startMock({ profile: Promise.resolve({}) as never }), {
    message: /it must be an object, not a Promise/
  })
  await t.rejects(startMock({ profile: '' }), { name: 'OptionError' })
})
