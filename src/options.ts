import { BareError } from './lib/call-site.js'
import { canonicalBlock } from './lib/ip.js'
import { isObject } from './lib/json.js'
import { didYouMean, nearest } from './lib/nearest.js'
import { plainText } from './lib/plain-text.js'
import { DURATION_FORMS, lengthOf, parseDuration } from './lib/time.js'
import { typeName } from './lib/type-name.js'
import { isVisible, NOT_VISIBLE } from './lib/visible.js'
import { SPEEDS } from './profile/durations.js'

/** An option is invalid, or does not exist. The message is one line for the user. */
export class OptionError extends BareError {
  override readonly name = 'OptionError'
}

type Value = string | number | boolean | readonly string[] | object

/** An option. Its flag and its variable follow from its name, unless it has another flag. */
interface Description<T extends Value> extends Traits {
  /** For the value in the help; absent for a switch. */
  readonly placeholder?: string
  readonly default: T
  /** The default for {@link embeddedDefaults}, if different. */
  readonly embedded?: T
  /** Converts text from a command line or the environment. Returns text that it cannot convert unchanged. */
  readonly read: (text: string) => unknown
  /** Describes valid values, if this is not one. */
  readonly problem: (value: unknown) => string | undefined
}

interface Traits {
  readonly flag?: string
  readonly help: string
  /** Whether its value must never be shown. */
  readonly isSecret?: boolean
  /** Whether an empty variable counts as unset: Compose files pass unset variables as empty ones. */
  readonly ignoresEmptyVariable?: boolean
}

interface Names {
  readonly flag: string
  readonly env: string
}

type Option<T extends Value> = Description<T> & Names

function text(
  spec: Traits & {
    placeholder: string
    default: string
    embedded?: string
    problem?: (value: string) => string | undefined
  }
): Description<string> {
  return {
    ...spec,
    read: (value) => value,
    problem: (value) =>
      typeof value === 'string' && value !== ''
        ? spec.problem?.(value)
        : (spec.problem?.('') ?? 'must be a non-empty text')
  }
}

function choice<const T extends string>({
  among,
  ...rest
}: Traits & { among: readonly T[]; default: NoInfer<T>; embedded?: NoInfer<T> }): Description<T> {
  return {
    ...rest,
    placeholder: among.join('|'),
    read: (value) => value,
    problem: (value) => (among.includes(value as T) ? undefined : `must be one of ${among.join(', ')}`)
  }
}

/** A whole number, or a word such as `off`. */
function integer<const Word extends string = never>({
  min,
  max = MAX_INTEGER,
  word,
  ...rest
}: Traits & {
  placeholder: string
  min: number
  max?: number
  word?: Word
  default: number | NoInfer<Word>
  embedded?: number
}): Description<number | Word> {
  return {
    ...rest,
    read: (value) => (/^-?\d+$/.test(value) ? Number(value) : value),
    problem: (value) =>
      (Number.isInteger(value) && (value as number) >= min && (value as number) <= max) ||
      (word !== undefined && value === word)
        ? undefined
        : `must be a whole number from ${min} to ${max}${word === undefined ? '' : `, or ${word}`}`
  }
}

function onOff(help: string): Description<boolean> {
  return {
    help,
    default: false,
    read: (value) => (['true', '1'].includes(value) ? true : ['false', '0'].includes(value) ? false : value),
    problem: (value) => (typeof value === 'boolean' ? undefined : 'must be true or false')
  }
}

/** A repeatable option, or one comma-separated list. */
function list(
  spec: Traits & { placeholder: string; problem: (item: string) => string | undefined }
): Description<readonly string[]> {
  const problemOf = (item: unknown) => (typeof item === 'string' ? spec.problem(item) : 'must be a list of texts')
  return {
    ...spec,
    default: [],
    read: (value) =>
      value
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== ''),
    problem: (value) =>
      Array.isArray(value) ? value.map(problemOf).find((problem) => problem !== undefined) : 'must be a list'
  }
}

/** The placeholders of `--workspace-host-template`. */
const HOST_PLACEHOLDER = /\{(?:workspace_id|workgroup_id|org_id|region)\}/g

/** A host, with an optional port and path. */
const HOST = /^(?:[\w.~-]+|\[[\da-f:.]+\])(?::\d{1,5})?(?:\/[\w./~-]*)?$/i

const MAX_INTEGER = 2 ** 31 - 1
const MIN_DATABASE = 1024 * 1024
const PREFIX = 'SVC_MOCK_'

/** The command line, the environment, `startMock()`, `--help` and docs/options.md derive from this table. */
const TABLE = {
  host: text({
    placeholder: 'ADDRESS',
    default: '127.0.0.1',
    help: 'Address to listen on.'
  }),
  port: integer({
    placeholder: 'N',
    min: 0,
    max: 65_535,
    default: 4700,
    embedded: 0,
    help: 'Port to listen on; 0 picks a free one.'
  }),
  db: text({
    placeholder: 'FILE',
    default: './data/svc-mock.db',
    embedded: ':memory:',
    problem: (value) => (/^file:/i.test(value) ? 'must be a path, not a URL' : undefined),
    help: 'SQLite file that holds everything; `:memory:` keeps nothing.'
  }),
  auth: choice({
    among: ['any', 'strict', 'off'],
    default: 'any',
    help:
      'Who may call: `any` credential, each with its own sandbox; `strict`: only the keys of --api-key; `off`: ' +
      'everyone, in one sandbox.'
  }),
  apiKeys: list({
    flag: '--api-key',
    placeholder: 'NAME=KEY',
    isSecret: true,
    problem: keyProblem,
    help:
      'A key that --auth strict accepts, and the name of its sandbox in the log. Repeatable; in the ' +
      'environment, a comma-separated list.'
  }),
  maxSandboxes: integer({
    placeholder: 'N',
    min: 1,
    default: 10_000,
    help: 'Maximum number of sandboxes. Another one replaces an empty or idle one (see --sandbox-idle), or is refused.'
  }),
  sandboxIdle: text({
    placeholder: 'DURATION',
    default: 'P7D',
    problem: idleProblem,
    help:
      'How long a sandbox must be unused before a new one may replace it (a duration such as 7d, or `off`: never). ' +
      'Sandboxes of --api-key keys are never replaced.'
  }),
  maxDatabaseBytes: integer({
    placeholder: 'BYTES',
    min: MIN_DATABASE,
    max: Number.MAX_SAFE_INTEGER,
    word: 'off',
    default: 4_294_967_296,
    help:
      'Maximum size of the database, or `off`. Near it, requests that add data are refused (507) until ' +
      'something is deleted.'
  }),
  maxResources: integer({
    placeholder: 'N',
    min: 10,
    default: 20_000,
    help:
      'Maximum number of resources (workgroups, workspaces, databases, backups, users and so on) per sandbox. ' +
      'Further ones are refused.'
  }),
  maxSnapshots: integer({
    placeholder: 'N',
    min: 0,
    default: 20,
    help: 'Maximum number of snapshots per sandbox. Further ones are refused, unless they replace one.'
  }),
  timelineEntries: integer({
    placeholder: 'N',
    min: 1,
    default: 20_000,
    help: 'Maximum number of state changes in the timeline of a sandbox. The oldest are dropped first.'
  }),
  seed: integer({
    placeholder: 'N',
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    word: 'random',
    default: 'random',
    help: 'Makes ids repeatable: every new sandbox generates the same ones, in the order of its requests.'
  }),
  seedFile: text({
    placeholder: 'FILE',
    default: '',
    help: 'State document (JSON or YAML) that every new sandbox starts from, and that a reset returns to.'
  }),
  demo: onOff('Start every new sandbox with the workgroup `demo`, instead of a --seed-file.'),
  profile: {
    placeholder: 'FILE',
    default: '' as string | object,
    help:
      'Profile (a file in JSON or YAML, or `observed`, or `conventional`): where the service differs from ' +
      "svc-mock's assumptions about what it offers and how it behaves.",
    read: (value) => value,
    problem: (value) =>
      (typeof value === 'string' && value !== '') || isObject(value)
        ? undefined
        : 'must be the name or the path of a profile, or a profile as an object'
  } satisfies Description<string | object>,
  transitions: choice({
    among: SPEEDS,
    default: 'fast',
    help: 'Duration of state transitions: `instant`, `fast` (1 to 3 s) or `realistic` (up to 5 min).'
  }),
  workspaceHostTemplate: text({
    placeholder: 'TEMPLATE',
    default: '{workspace_id}.workspaces.svc.test',
    problem: (value) =>
      HOST.test(value.replaceAll(HOST_PLACEHOLDER, 'id'))
        ? undefined
        : 'must be a host such as {workspace_id}.test or localhost:9000, with no placeholders but {workspace_id}, ' +
          '{workgroup_id}, {org_id} and {region}',
    help:
      'The `nginx_host` of a workspace, e.g. `localhost:9000`. `{workspace_id}`, `{workgroup_id}`, `{org_id}` and ' +
      '`{region}` are replaced by its own.'
  }),
  basePath: text({
    placeholder: 'PATH',
    default: '/',
    // Clients resolve the segments `.` and `..` before they send a request.
    problem: (value) =>
      /^(?!.*\/\.\.?(\/|$))\/(?!(?:_mock|docs)(\/|$)|openapi\.json$)([\w.~-]+(\/[\w.~-]+)*)?$/.test(value)
        ? undefined
        : 'must be a path such as /api, without segments such as .. or a slash at its end, not under /_mock or /docs',
    help: 'Path under which the interface is mounted.'
  }),
  trustProxy: list({
    placeholder: 'ADDRESS',
    problem: (item) => (canonicalBlock(item) !== undefined ? undefined : 'must be an IP address or a CIDR block'),
    help: 'Address or block of a proxy whose X-Forwarded-For is trusted. Repeatable.'
  }),
  corsOrigin: list({
    placeholder: 'ORIGIN',
    problem: (item) => (isOrigin(item) ? undefined : 'must be an origin such as http://localhost:5173'),
    help: 'Origin that a browser may call from. Repeatable; without it, CORS is off.'
  }),
  control: choice({
    among: ['loopback', 'open'],
    default: 'loopback',
    help:
      'Who may use the control API under /_mock: only callers on this machine, or everyone who can reach the ' +
      'server.'
  }),
  controlToken: text({
    placeholder: 'TOKEN',
    default: '',
    isSecret: true,
    ignoresEmptyVariable: true,
    problem: (value) => (isVisible(value) ? undefined : NOT_VISIBLE),
    help: 'Token that the control API requires in the header X-Mock-Token, wherever the caller is.'
  }),
  allowedHost: list({
    placeholder: 'NAME',
    problem: (item) =>
      /^(?:[\w.-]+|[\w.]*:[\w.]*:[\w.:]*)$/.test(item)
        ? undefined
        : 'must be a host name or an address, without a port',
    help: 'Host name by which the control API may be called, in addition to localhost and --host. Repeatable.'
  }),
  logLevel: choice({
    among: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    default: 'info',
    embedded: 'silent',
    help: 'Minimum level of log lines; `info` logs every request.'
  }),
  strictBodies: onOff('Refuse unknown fields in request bodies instead of ignoring them.'),
  brand: text({
    placeholder: 'PREFIX',
    default: 'svc',
    problem: nameProblem,
    help: 'Replaces `svc` in the names of fields, schemas and workspace types, e.g. with `acme`.'
  }),
  brandResourceName: text({
    placeholder: 'NAME',
    default: 'srn',
    problem: nameProblem,
    help: 'Replaces `srn`, the name of the field with a resource name, and the prefix of its value.'
  }),
  bodyLimit: integer({
    placeholder: 'BYTES',
    min: 1,
    default: 1_048_576,
    help: 'Maximum size of a request body.'
  }),
  journalRequests: integer({
    placeholder: 'N',
    min: 0,
    default: 1000,
    help: 'Maximum number of most recent requests in the journal of a sandbox; 0 turns it off.'
  }),
  journalBytes: integer({
    placeholder: 'BYTES',
    min: 1024,
    default: 4_194_304,
    help: 'Approximate maximum memory of the journal of a sandbox.'
  }),
  journalTotalBytes: integer({
    placeholder: 'BYTES',
    min: 1024,
    max: Number.MAX_SAFE_INTEGER,
    default: 67_108_864,
    help:
      'Approximate maximum memory of all journals together; at most a sixteenth of the heap. The least recently used ' +
      'sandbox loses its oldest records first.'
  }),
  record: text({
    placeholder: 'DIR',
    default: '',
    help: 'Directory for recordings: one file for each sandbox and run, with every request and change.'
  }),
  recordKeep: integer({
    placeholder: 'N|all',
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    word: 'all',
    default: 100,
    help: 'Maximum number of recordings in the directory; the oldest are deleted.'
  })
}

/** All options. */
export const OPTIONS = named(TABLE)

function named<Table extends Readonly<Record<string, Description<Value>>>>(table: Table) {
  const withNames = ([name, option]: [string, Description<Value>]) => {
    const words = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    const names = { flag: `--${words}`, env: PREFIX + words.toUpperCase().replaceAll('-', '_') }
    return [name, { ...names, ...option }]
  }
  return Object.fromEntries(Object.entries(table).map(withNames)) as {
    readonly [Name in keyof Table]: Table[Name] & Names
  }
}

/** The options that affect the OpenAPI document. */
export const OPENAPI_OPTIONS = ['profile', 'basePath', 'strictBodies', 'brand', 'brandResourceName'] as const

function keyProblem(item: string): string | undefined {
  if (!/^[^=\s]+=\S+$/.test(item)) return 'must have the form NAME=KEY'
  return isVisible(keyAndName(item)[0]) ? undefined : 'must have a key of visible ASCII characters'
}

/** Upper-case and capitalized forms are derived from a brand name. */
function nameProblem(value: string): string | undefined {
  return /^[a-z][a-z0-9]*$/.test(value) ? undefined : 'must be lower-case letters and digits, beginning with a letter'
}

function idleProblem(value: string): string | undefined {
  const duration = parseDuration(value)
  return value === 'off' || (duration !== undefined && lengthOf(duration) > 0)
    ? undefined
    : `must be a duration ${DURATION_FORMS}, and more than zero; or off`
}

function isOrigin(value: string): boolean {
  return URL.canParse(value) && new URL(value).origin === value
}

export type OptionName = keyof typeof TABLE

export type Options = { readonly [Name in OptionName]: (typeof TABLE)[Name] extends Description<infer T> ? T : never }

const entries = Object.entries(OPTIONS) as [OptionName, Option<Value>][]

/** A flag in a sentence, not in a path or a quotation. */
const FLAG = /(?<![^\s(])--[a-z]+(?:-[a-z]+)*(?![\w-])/g

/** Replaces flags by the names of options in programs. Messages name flags, because most readers call over HTTP. */
export function withOptionNames(message: string): string {
  return message.replaceAll(FLAG, (flag) => entries.find(([, option]) => option.flag === flag)?.[0] ?? flag)
}

/** The base path as a prefix of URLs: empty for `/`. */
export const mountOf = ({ basePath }: Pick<Options, 'basePath'>): string => (basePath === '/' ? '' : basePath)

/** For `svc-mock serve`. */
function serverDefaults(): Options {
  return Object.fromEntries(entries.map(([name, option]) => [name, option.default])) as Options
}

/** For a server inside another program: in memory, silent, on a free port. */
export function embeddedDefaults(): Options {
  return Object.fromEntries(entries.map(([name, option]) => [name, option.embedded ?? option.default])) as Options
}

/**
 * Merges values with the defaults and checks them.
 * @throws {OptionError} naming the first option that does not exist, has an invalid value, or contradicts another
 */
export function checkOptions(given: unknown, defaults: Options): Options {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new OptionError(`options must be an object such as { port: 4700 }, not ${typeName(given)}`)
  const options: Record<string, unknown> = { ...defaults }
  for (const [name, value] of Object.entries(given) as [string, unknown][]) {
    if (value === undefined) continue
    if (!Object.hasOwn(OPTIONS, name))
      throw new OptionError(`there is no option ${name}${didYouMean(nearest(name, Object.keys(OPTIONS)))}`)
    options[name] = accepted(OPTIONS[name as OptionName], name, value)
  }
  const contradiction = contradictionIn(options as Options)
  if (contradiction !== undefined) throw new OptionError(withOptionNames(contradiction))
  return options as Options
}

/** Variables that other commands or clients read. */
const OF_OTHERS = ['URL', 'KEY', 'TOKEN', 'COMMAND'].map((name) => PREFIX + name)

/**
 * Reads the options from flags and an environment; a flag overrides its variable.
 * @param flags by name without hyphens: texts, or true for a switch
 * @throws {OptionError} naming the first flag or `SVC_MOCK_…` variable that is unknown, or whose value is invalid
 */
export function readOptions(
  flags: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string | undefined>>,
  defaults = serverDefaults()
): Options {
  const options: Record<string, unknown> = { ...defaults }
  for (const [variable, given] of Object.entries(env)) {
    if (given === undefined || !variable.startsWith(PREFIX) || OF_OTHERS.includes(variable)) continue
    const found = entries.find(([, option]) => option.env === variable)
    if (found === undefined) {
      const known = entries.map(([, option]) => option.env.slice(PREFIX.length))
      const meant = nearest(variable.slice(PREFIX.length), known)
      throw new OptionError(
        `there is no option for the environment variable ${variable}${didYouMean(meant && `${PREFIX}${meant}`)}`
      )
    }
    const [name, option] = found
    if (given === '' && option.ignoresEmptyVariable === true) continue
    options[name] = accepted(option, variable, option.read(given))
  }
  for (const [name, option] of entries) {
    const given = flags[option.flag.slice(2)]
    if (given === undefined) continue
    const values = [given].flat().map((text) => (typeof text === 'string' ? option.read(text) : text))
    options[name] = accepted(option, option.flag, Array.isArray(given) ? values.flat() : values[0])
  }
  const contradiction = contradictionIn(options as Options)
  if (contradiction !== undefined) throw new OptionError(contradiction)
  return options as Options
}

function accepted(option: Option<Value>, source: string, value: unknown): unknown {
  const problem = option.problem(value)
  if (problem === undefined) return value
  // Of a list, show the first invalid item.
  const items: readonly unknown[] = Array.isArray(value) ? value : []
  const wrong = items.find((item) => typeof item === 'string' && option.problem([item]) !== undefined) ?? value
  // A typo must not put a key on a screen or in a log.
  throw new OptionError(`${source} ${problem}${option.isSecret === true ? '' : `, but is ${shown(wrong)}`}`)
}

/** A value as JSON, or else its type. */
function shown(value: unknown): string {
  if (value === undefined || typeof value === 'function' || typeof value === 'symbol') return typeName(value)
  try {
    return JSON.stringify(value)
  } catch {
    return typeName(value)
  }
}

function contradictionIn({ auth, apiKeys, demo, seedFile }: Options): string | undefined {
  if (auth === 'strict' && apiKeys.length === 0) return '--auth strict needs --api-key, such as NAME=KEY'
  if (auth !== 'strict' && apiKeys.length > 0) return '--api-key needs --auth strict'
  const clash = clashOf(apiKeys)
  if (clash !== undefined) return `--api-key ${clash}`
  return demo && seedFile !== '' ? '--demo and --seed-file exclude each other; use one of them' : undefined
}

function clashOf(apiKeys: readonly string[]): string | undefined {
  const pairs = [...new Set(apiKeys)].map(keyAndName)
  if (new Set(pairs.map(([key]) => key)).size < pairs.length) return 'gives one key two names; use one of them'
  if (new Set(pairs.map(([, name]) => name)).size < pairs.length)
    return 'gives two keys one name; name each differently'
  return undefined
}

/** Whether new sandboxes start with contents. */
export function hasSeed({ demo, seedFile }: Pick<Options, 'demo' | 'seedFile'>): boolean {
  return demo || seedFile !== ''
}

/** The names of the keys that `--auth strict` accepts, by key. */
export function namedKeys(options: Options): ReadonlyMap<string, string> {
  return new Map(options.apiKeys.map(keyAndName))
}

function keyAndName(item: string): [key: string, name: string] {
  const equals = item.indexOf('=')
  return [item.slice(equals + 1), item.slice(0, equals)]
}

interface HelpView {
  readonly defaults?: Options
  /** Flags to omit, without their hyphens. */
  readonly except?: readonly string[]
  /** Options whose variables are not read. */
  readonly unread?: readonly OptionName[]
}

/** The options as lines for `--help`. */
export function optionsHelp({ defaults = serverDefaults(), except = [], unread = [] }: HelpView = {}): string {
  return entries
    .filter(([, { flag }]) => !except.includes(flag.slice(2)))
    .map(([name, option]) => {
      const { help, env } = option
      const variable = unread.includes(name) ? '' : ` Environment: ${env}.`
      return `  ${usageOf(option)}\n      ${plainText(help)}\n      Default: ${inWords(defaults[name])}.${variable}`
    })
    .join('\n')
}

const usageOf = ({ flag, placeholder = '' }: Option<Value>) => `${flag} ${placeholder}`.trimEnd()

/** The options as a Markdown table for docs/options.md. */
export function optionsTable(): string {
  const cell = (value: string) => value.replaceAll('|', '\\|')
  const rows = entries.map(([, option]) => {
    const { env, help } = option
    return `| \`${cell(usageOf(option))}\` | \`${env}\` | ${cell(inWords(option.default))} | ${cell(help)} |`
  })
  return ['| flag | environment | default | meaning |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

function inWords(value: Value): string {
  if (typeof value === 'object' || value === '') return 'none'
  return typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value)
}
