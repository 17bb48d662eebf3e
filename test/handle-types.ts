import { Kind, OptionalKind } from '@sinclair/typebox'
import { StateSchema } from '../src/documents/schemas.js'
import * as envelopeSchemas from '../src/interface/envelope.js'
import { ERROR_TYPES } from '../src/interface/errors.js'
import { OPTIONS } from '../src/options.js'
import { isFromCatalogue } from '../src/profile/by-profile.js'
import { TRANSITION_NAMES } from '../src/profile/durations.js'
import { ProfileSchema } from '../src/profile/schemas.js'
import * as allowListSchemas from '../src/resources/allow-list/fields.js'
import { BACKUP_STATES, RESTORE_STATES, RESTORE_STEP } from '../src/resources/backups/lifecycle.js'
import * as scheduleSchemas from '../src/resources/schedules/fields.js'
import { BACKUP_FIRING, BACKUP_RETRY, WORKSPACE_FIRING } from '../src/resources/schedules/lifecycle.js'
import { NAMED_SCHEMAS } from '../src/resources/vocabulary.js'
import { AUTO_STOP, REFRESH_STATES, WORKSPACE_STATES } from '../src/resources/workspaces/lifecycle.js'
import * as faultSchemas from '../src/sandboxes/fault-schemas.js'
import * as clockSchemas from '../src/sim/clock-schemas.js'
import * as simulationSchemas from '../src/sim/schemas.js'
import { AssumptionSchema } from '../src/test-control/assumptions/assumptions.js'
import { CALLS } from '../src/test-control/calls.js'
import { type ControlCall, placeOfMethod } from '../src/test-control/control-call.js'
import { CoverageSchema } from '../src/test-control/coverage/coverage.js'
import { ReportSchema } from '../src/test-control/report/schemas.js'
import * as requestSchemas from '../src/test-control/requests/schemas.js'
import * as sandboxSchemas from '../src/test-control/sandboxes/schemas.js'
import { layOut, wrapped } from './doc-parts.js'
import type { Schema } from './json-schema.js'
import { type InterfaceOperation, readOperations } from './operations.js'

// The public types, generated from the schemas of requests and replies. Unlike `Static`, they show the descriptions of
// the schemas in editors, and need no package.

/** Named enumerations. */
const WORDS: Readonly<Record<string, { about: string; words: readonly string[] }>> = {
  OperationId: {
    about: 'An operation of the interface.',
    words: readOperations().map(({ operationId }) => operationId)
  },
  ErrorType: { about: 'The kind of an error, in its `ErrorDetails`.', words: ERROR_TYPES },
  WorkspaceState: { about: 'State of a workspace.', words: Object.keys(WORKSPACE_STATES) },
  RefreshState: { about: 'Outcome of the last refresh of a workspace.', words: Object.keys(REFRESH_STATES) },
  BackupState: { about: 'State of a backup.', words: Object.keys(BACKUP_STATES) },
  RestoreState: { about: 'State of a restore job.', words: Object.keys(RESTORE_STATES) },
  TransitionName: {
    about: 'Name of a transition.',
    words: TRANSITION_NAMES
  },
  ActionName: {
    about: 'Name of an action that is scheduled, but is no transition.',
    words: [AUTO_STOP, RESTORE_STEP, BACKUP_FIRING, BACKUP_RETRY, WORKSPACE_FIRING].map(({ name }) => name)
  },
  Keepable: { about: 'A part of a sandbox that a reset can keep.', words: sandboxSchemas.KEEPABLE }
}

const EVENT = 'TransitionName | ActionName'
const STATE = 'WorkspaceState | RefreshState | BackupState | RestoreState'

/** Types that are more precise than the schema, by place; `*` is an item. */
const TYPES: Readonly<Record<string, string>> = {
  'Workspace.status': 'WorkspaceState',
  'Workspace.refresh_status': 'RefreshState',
  'Backup.type': "'manual' | 'automatic'",
  'Backup.status': 'BackupState',
  'BackupRestoreStatus.status': 'RestoreState',
  'TimelineItem.transition': EVENT,
  'TimelineItem.attribute': "'status' | 'refresh_status' | 'firing'",
  'TimelineItem.from': `${STATE} | null`,
  'TimelineItem.to': `${STATE} | 'gone' | 'skipped'`,
  'TransitionRule.transition': 'TransitionName',
  'Release.transition': 'TransitionName',
  'Advance.until': "'idle' | { readonly workspace_id: string; readonly status: WorkspaceState | 'gone' }",
  'noteActivity.status': 'WorkspaceState',
  'RequestRecord.request.params': 'Readonly<Record<string, string>>'
}

/** Types of texts that are more precise than the schema, by field. */
const TEXTS: Readonly<Record<string, string>> = { operation: 'OperationId', event: EVENT }

/** Named parts, by place, with a description if the schema has none. */
const PARTS: Readonly<Record<string, readonly [name: string, about?: string]>> = {
  'OrgListUserResponse.*': ['OrgUser', 'A user of the org.'],
  'FaultRule.effect': ['FaultEffect'],
  'Fault.effect': ['FaultEffect'],
  'RequestRecord.changes.*': ['RowChange'],
  'RequestRecord.events.*': ['ScheduledEvent'],
  'RequestRecord.timeline.*': ['TimelineItem'],
  'ScheduledEvent.changes.*': ['RowChange'],
  'Expectation.where': ['CallConditions'],
  'Expectation.times': ['Times'],
  'Expectation.sequence.*': ['CallPattern', 'An expected call.'],
  'CallPattern.where': ['CallConditions'],
  'Report.findings.*': ['Finding', 'A habit of the client that would cause trouble with a real service.'],
  'Report.left_behind.*': ['LeftBehind', 'Leftovers that a test should have cleaned up.'],
  ...Object.fromEntries(
    Object.keys(CoverageSchema.properties).map((list) => [
      `CoverageReport.${list}.*`,
      ['CoverageItem', 'Something that can be exercised, and how often it was.']
    ])
  ),
  'SandboxList.sandboxes.*': ['SandboxItem'],
  'StateDocument.faults.*': ['StateFault', 'A fault in a state document.'],
  'StateFault.effect': ['FaultEffect'],
  'StateDocument.org_users.*': ['StateOrgUser', 'A user of the org in a state document.'],
  'StateDocument.workgroups.*': ['StateWorkgroup', 'A workgroup in a state document.'],
  'StateDocument.events.*': ['StateEvent'],
  'StateDocument.timeline.*': ['StateTimelineItem', 'A state change in a state document.'],
  'StateWorkgroup.databases.*': ['StateDatabase', 'A database in a state document.'],
  'StateWorkgroup.workspaces.*': ['StateWorkspace', 'A workspace in a state document.']
}

/** Fields that are always present, although the schema does not say so, by place. */
const ALWAYS = /^(?:CurrentIP|Quotas)\./

const BODIES: Readonly<Record<string, string>> = {
  createDatabaseUser: 'Required<InDatabaseUserRequest>',
  updateDatabaseUserPassword: 'Required<InDatabaseUserRequest>',
  deleteDatabaseUser: "Pick<Required<InDatabaseUserRequest>, 'username'>",
  deleteWorkspaceSchedule: 'ScheduleDeletion'
}

const RESULTS: Readonly<Record<string, string>> = {
  addAllowedIP: 'Required<AllowedIP>',
  listAllowedIPs: 'readonly Required<AllowedIP>[]',
  updateAllowedIP: 'Required<AllowedIP>',
  getCurrentIP: 'CurrentIP',
  getBackupSchedule: 'Required<BackupSchedule>'
}

const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  workgroupID: 'Id of the workgroup.',
  workspaceID: 'Id of the workspace.',
  databaseID: 'Id of the database.',
  id: 'Id of the entry.',
  job: 'Id of the restore job.',
  userId: 'Id of the user.'
}

/** The schemas of the interface, by name. */
const ENVELOPES: readonly unknown[] = Object.values(envelopeSchemas)
const INTERFACE = NAMED_SCHEMAS.filter((schema) => !ENVELOPES.includes(schema)) as (Schema & { $id: string })[]

/** The schemas of the methods of a sandbox, with a description if the schema has none. */
const CONTROL: readonly (readonly [name: string, schema: unknown, about?: string])[] = [
  ...named(clockSchemas, 'Clock', 'ClockSetting', 'Advance', 'Fired', 'Moved'),
  ...named(simulationSchemas, 'Due'),
  ['TimelineItem', simulationSchemas.TimelineEntrySchema],
  ...named(simulationSchemas, 'TransitionRule', 'Release'),
  ['Quotas', simulationSchemas.QuotasSchema, 'Maximum numbers of resources; null means no limit.'],
  ...named(simulationSchemas, 'QuotaSetting'),
  ['Profile', ProfileSchema],
  ['Assumption', AssumptionSchema],
  ...named(faultSchemas, 'FaultRule'),
  ['Fault', faultSchemas.FaultSchema, 'A rule that injects faults, with its counters.'],
  ['RequestFilter', requestSchemas.RequestFilterSchema, 'Selects the requests that meet all given conditions.'],
  ...named(requestSchemas, 'RecordedRequest'),
  ['RequestList', requestSchemas.RequestListSchema, 'The recorded requests.'],
  ...named(requestSchemas, 'RequestRecord', 'Expectation'),
  ['Verified', requestSchemas.VerifiedSchema, 'The calls that met an expectation.'],
  ['Report', ReportSchema],
  ['CoverageReport', CoverageSchema],
  ...named(sandboxSchemas, 'Snapshot'),
  ['NewFork', sandboxSchemas.NewSandboxSchema],
  ...named(sandboxSchemas, 'SandboxFilter'),
  ['SandboxList', sandboxSchemas.SandboxListSchema, 'Sandboxes of the server.'],
  ['StateDocument', StateSchema]
]

function named<Name extends string>(file: Readonly<Record<`${Name}Schema`, unknown>>, ...names: readonly Name[]) {
  return names.map((name) => [name, file[`${name}Schema`]] as const)
}

/** The unqualified name, such as `IAMUser` for `svcIAM.IAMUser`. */
function nameOf(id: string): string {
  const last = id.replace(/#$/, '').split('.').at(-1)!
  return last[0]!.toUpperCase() + last.slice(1)
}

/** The objects of methods; `handle.ts` extends those that have more methods than calls. */
export const OBJECTS: Readonly<Record<string, { readonly about: string; readonly isExtended?: true }>> = {
  clock: { about: 'The clock of a sandbox. A move ends once all events due on the way have run.', isExtended: true },
  transitions: { about: 'How the transitions of a sandbox end.' },
  state: { about: 'A sandbox as one document.' },
  snapshot: { about: 'Named snapshots of a sandbox.' },
  fault: { about: 'Faults injected into requests.' },
  requests: { about: 'The recorded requests.' },
  quotas: { about: 'The quotas of a sandbox: maximum numbers. A quota without one has no limit.' },
  coverage: { about: 'Coverage of the interface so far.', isExtended: true },
  sandboxes: { about: 'All sandboxes of a server that has a token.' }
}

const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(' | ')

/** Maximum width of comments, so that the deepest ones fit. */
const WIDTH = 100

function comment(text: string, tags: readonly string[] = []): string {
  const lines = [text, ...tags].flatMap((line) => wrapped(line, WIDTH))
  return lines.length === 1 ? `/** ${lines[0]!} */\n` : `/**\n${lines.map((line) => ` * ${line}`).join('\n')}\n */\n`
}

/** Declares types for schemas, each once, after those that it needs. */
class Declarations {
  /** By name, in order of use. */
  readonly #texts = new Map<string, string>()

  get text(): string {
    return [...this.#texts.values()].join('\n')
  }

  /** @returns the name @throws {Error} if neither the schema nor `about` describes it */
  declare(name: string, schema: Schema, about = schema.description): string {
    if (this.#texts.has(name)) return name
    // Keeps the order, and prevents endless recursion.
    this.#texts.set(name, '')
    if (about === undefined) throw new Error(`${name} needs a description`)
    const isObject = schema.properties !== undefined
    const head = isObject ? `export interface ${name}` : `export type ${name} =`
    const body = isObject ? this.#fieldsOf(schema, name) : this.#typeOf(schema, name)
    this.#texts.set(name, `${comment(about)}${head} ${body}\n`)
    return name
  }

  of(schema: Schema, place: string): string {
    return schema.items === undefined ? this.#typeOf(schema, place) : `${this.of(schema.items, `${place}.*`)}[]`
  }

  named(id: string): string {
    const schema = INTERFACE.find(({ $id }) => $id === id.replace(/#$/, ''))
    if (schema === undefined) throw new Error(`there is no schema ${id}`)
    return this.declare(nameOf(id), schema)
  }

  #typeOf(schema: Schema, place: string): string {
    const { $ref, anyOf, enum: values, items, properties } = schema
    const type = TYPES[place] ?? TYPES[place.replace('StateTimeline', 'Timeline')]
    if (type !== undefined) return type
    const known = CONTROL.find(([, one]) => one === schema)
    if (known !== undefined) return this.declare(known[0], schema, known[2])
    if ($ref !== undefined) return this.named($ref)
    if (anyOf !== undefined) return anyOf.map((one) => this.#typeOf(one, place)).join(' | ')
    // Profiles may have other values; editors suggest the built-in ones.
    if (isFromCatalogue(schema)) return `${quoted(values!)} | (string & Record<never, never>)`
    if (values !== undefined) return wordsOf(values)
    if (schema.patternProperties !== undefined) {
      const [value] = Object.values(schema.patternProperties)
      return `Readonly<Record<string, ${this.#typeOf(value!, `${place}.*`)}>>`
    }
    if ('const' in schema) return JSON.stringify(schema.const)
    if (items !== undefined) return `${isMutable(place) ? '' : 'readonly '}(${this.#typeOf(items, `${place}.*`)})[]`
    const part = PARTS[place]
    if (part !== undefined) return this.declare(part[0], schema, part[1])
    if (properties !== undefined && Object.keys(properties).length > 0) return this.#fieldsOf(schema, place)
    switch (schema.type) {
      case 'integer':
      case 'number':
        return 'number'
      case 'string':
        return TEXTS[place.split('.').at(-1)!] ?? 'string'
      case 'object':
        return isMutable(place) ? 'Record<string, unknown>' : 'Readonly<Record<string, unknown>>'
      case undefined:
        return 'unknown'
      default:
        return schema.type
    }
  }

  #fieldsOf(schema: Schema, place: string): string {
    const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
      const at = `${place}.${name}`
      const optional = isOptional(schema, field) && !ALWAYS.test(at) ? '?' : ''
      const about = field.description === undefined ? '' : comment(field.description)
      const key = /^\w+$/.test(name) ? name : `'${name}'`
      return `${about}${isMutable(place) ? '' : 'readonly '}${key}${optional}: ${this.#typeOf(field, at)}`
    })
    return `{\n${fields.join('\n')}\n}`
  }
}

/** Mutable, because programs read a state document, change it and send it back. */
const isMutable = (place: string) => place.startsWith('State')

/** TypeBox schemas mark optional fields; replies have no list of required ones. */
function isOptional(parent: object, field: object): boolean {
  if (!(Kind in parent)) throw new Error('an object that is not from TypeBox')
  return OptionalKind in field
}

function wordsOf(values: readonly string[]): string {
  const known = Object.entries(WORDS).find(([, { words }]) => words.join() === values.join())
  return known?.[0] ?? quoted(values)
}

const NOTE = '// Made from the schemas by test/handle-types.ts. Do not edit it: `npm run docs` updates it.\n'

/** `generated/test-control/handle/types.d.ts`: the types of calls, methods and options. */
export async function handleTypes(): Promise<string> {
  const declarations = new Declarations()
  const operations = readOperations().map((operation) => operationType(declarations, operation))
  for (const [name, schema, about] of CONTROL) declarations.declare(name, schema as Schema, about)
  const methods = methodTypes(declarations)
  const words = Object.entries(WORDS).map(
    ([name, { about, words }]) => `${comment(about)}export type ${name} = ${quoted(words)}\n`
  )
  return layOut(
    [
      NOTE,
      "import type { Options as Values } from '../../options.js'\n",
      optionTypes(),
      ...words,
      comment('What each operation takes, and the `Result` that it answers.') +
        `export interface Operations {\n${operations.join('\n')}\n}\n`,
      declarations.text,
      ...methods
    ].join('\n')
  )
}

/** The options of `startMock()`, with the descriptions of `--help`. */
function optionTypes(): string {
  const entries = Object.entries(OPTIONS) as [
    string,
    { readonly flag: string; readonly help: string; readonly default: unknown; readonly embedded?: unknown }
  ][]
  const inOwnNames = (help: string) =>
    help.replaceAll(/--[a-z-]+/g, (flag) => `\`${entries.find(([, option]) => option.flag === flag)?.[0] ?? flag}\``)
  const fields = entries.map(([name, option]) => {
    const value = option.embedded ?? option.default
    const isNone = value === '' || (Array.isArray(value) && value.length === 0)
    const shown = typeof value === 'string' ? `'${value}'` : JSON.stringify(value)
    const about = `${inOwnNames(option.help)} Default: ${isNone ? 'none' : `\`${shown}\``}.`
    // The document has a type that needs no package.
    return `${comment(about)}readonly ${name}: ${name === 'profile' ? 'string | Profile' : `Values['${name}']`}`
  })
  return `${comment('The options of `startMock()`.')}export interface Options {\n${fields.join('\n')}\n}\n`
}

export const capitalised = (name: string) => name[0]!.toUpperCase() + name.slice(1)

function methodTypes(declarations: Declarations): string[] {
  const named = CALLS.filter(({ program }) => program !== undefined)
  const ownerOf = ({ program }: ControlCall) => placeOfMethod(program!)[0]
  const owners = [...new Set(named.map(ownerOf))].filter((owner) => owner !== '')
  const typeOf = (owner: string) => `${capitalised(owner)}${OBJECTS[owner]!.isExtended === true ? 'Calls' : 'Handle'}`
  const methodsOf = (owner: string) =>
    named.filter((call) => ownerOf(call) === owner).map((call) => methodType(declarations, call))
  const types = owners.map((owner) => {
    const about = OBJECTS[owner]?.about
    if (about === undefined) throw new Error(`OBJECTS must describe ${owner}`)
    return `${comment(about)}export interface ${typeOf(owner)} {\n${methodsOf(owner).join('\n')}\n}\n`
  })
  const members = owners
    .filter((owner) => owner !== 'sandboxes')
    .map((owner) => `${comment(OBJECTS[owner]!.about)}readonly ${owner}: ${typeOf(owner)}`)
  return [
    ...types,
    comment('The calls that a sandbox makes.') +
      `export interface SandboxCalls {\n${[...members, ...methodsOf('')].join('\n')}\n}\n`
  ]
}

function methodType(declarations: Declarations, call: ControlCall): string {
  const { name, params = {}, summary, description, program } = call
  const { gives, returns, throws } = program!
  const inputs = [...Object.keys(params).map((one) => `${one}: string`), ...inputsOf(declarations, call)]
  const result = call.result as Schema | undefined
  const given = gives === undefined ? result : result?.properties?.[gives]
  const type = given === undefined ? 'void' : declarations.of(given, gives === undefined ? name : `${name}.${gives}`)
  const about = [`${summary}.`, ...(description === undefined || description.includes('\n') ? [] : [description])]
  const tags = [
    ...(returns === undefined ? [] : [`@returns ${returns}`]),
    ...(throws === undefined ? [] : [`@throws {ServiceError} ${throws}`])
  ]
  return `${comment(about.join(' '), tags)}${placeOfMethod(program!)[1]}: (${inputs.join(', ')}) => Promise<${type}>`
}

/** The arguments of a method after the ids. */
function inputsOf(declarations: Declarations, { name, query, body, isBodyOptional, program }: ControlCall): string[] {
  const schema = (body ?? query) as Schema | undefined
  const { takes } = program!
  if (schema === undefined || takes?.length === 0) return []
  const typeOf = (field: string) => declarations.of(schema.properties![field]!, `${name}.${field}`)
  if (typeof takes === 'string') return [`${takes}: ${typeOf(takes).replace(/^(?=.*\[\]$)/, 'readonly ')}`]
  if (takes !== undefined) return takes.map((field) => `${field}?: ${typeOf(field)}`)
  const type = declarations.of(schema, name)
  const last = /^\w+$/.test(type)
    ? type
        .split(/(?=[A-Z])/)
        .at(-1)!
        .toLowerCase()
    : 'input'
  return [`${last}${body === undefined || isBodyOptional === true ? '?' : ''}: ${type}`]
}

const parametersOf = ({ path }: InterfaceOperation) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)

function operationType(declarations: Declarations, operation: InterfaceOperation): string {
  const { operationId, method, path, body } = operation
  const fields = parametersOf(operation).map((name) => `${comment(PATH_PARAMETERS[name]!)}readonly ${name}: string`)
  if (body !== undefined) fields.push(`readonly body: ${bodyType(declarations, operationId, body)}`)
  return (
    `${comment(`${method.toUpperCase()} ${path}`)}${operationId}: {\n` +
    `readonly input: ${fields.length === 0 ? 'undefined' : `{\n${fields.join('\n')}\n}`}\n` +
    `readonly result: ${resultType(declarations, operation)}\n}`
  )
}

function bodyType(declarations: Declarations, operationId: string, id: string): string {
  if (BODIES[operationId] === 'ScheduleDeletion')
    return declarations.declare('ScheduleDeletion', scheduleSchemas.ScheduleDeletionSchema)
  const name = declarations.named(id)
  return BODIES[operationId] ?? name
}

function resultType(declarations: Declarations, { operationId, result, isArray }: InterfaceOperation): string {
  if (result === undefined) return 'undefined'
  if (result === 'string') return 'string'
  if (result === 'object')
    return declarations.declare(
      RESULTS[operationId]!,
      allowListSchemas.CurrentIPSchema,
      "The caller's address, and whether the allow list lets it in."
    )
  const name = declarations.named(result)
  return RESULTS[operationId] ?? (isArray ? `readonly ${name}[]` : name)
}
