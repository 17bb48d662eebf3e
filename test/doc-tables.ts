import { exploreTool } from '../src/cli/mcp-explore.js'
import { kindOf, PLAN_NAMES } from '../src/explore/plans.js'
import { ERROR_TYPES, ERRORS } from '../src/interface/errors.js'
import { OPERATION_IDS } from '../src/interface/operation-ids.js'
import { groupBy } from '../src/lib/group-by.js'
import { kept } from '../src/lib/kept.js'
import { TOOLS } from '../src/mcp/tools.js'
import { QUOTA_IDS } from '../src/profile/assumptions.js'
import { BUILT_IN_CATALOGUE } from '../src/profile/catalogue.js'
import { ORG_ROLES } from '../src/profile/org-roles.js'
import { BUILT_IN_QUOTAS, type QuotaRule, QUOTAS } from '../src/profile/quotas.js'
import { ASSUMPTIONS } from '../src/resources/all-assumptions.js'
import { BACKUP_STATES, RESTORE_STATES } from '../src/resources/backups/lifecycle.js'
import { TRANSITIONS } from '../src/resources/states.js'
import { REFRESH_STATES, WORKSPACE_STATES } from '../src/resources/workspaces/lifecycle.js'
import type { StateTable } from '../src/sim/state-machine.js'
import { callNamed } from '../src/test-control/calls.js'
import { CoverageSchema } from '../src/test-control/coverage/coverage.js'
import { RULES } from '../src/test-control/report/schemas.js'
import type { Schema } from './json-schema.js'
import { publishedLedger } from './published.js'

// The tables of the documents, generated from data in the code.

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const code = (text: string | number) => (text === '' ? 'empty' : `\`${text}\``)

export function errorsTable(): string {
  const rows = Object.values(ERRORS).map(({ id, status, type, when }) => [id, when, String(status), code(type)])
  return table(['id', 'condition', 'HTTP', 'Type'], rows)
}

function statesTable(states: StateTable): string {
  return table(
    ['id', 'state', 'meaning'],
    Object.entries(states).map(([state, { id, meaning }]) => [id, code(state), meaning])
  )
}

const evidenceLedger = kept(() => publishedLedger('conventional'))

export async function provenSentence(): Promise<string> {
  const ledger = await evidenceLedger()
  const count = (verdict: string) => ledger.filter((entry) => entry.verdict === verdict).length
  return (
    `Of ${ledger.length} assumptions, published replies of the service confirm ${count('confirmed')} and contradict ` +
    `${count('contradicted')}; [the others](docs/fidelity.md#what-is-known) are unproven.`
  )
}

export async function honestyTable(): Promise<string> {
  const ledger = await evidenceLedger()
  const hidden = ASSUMPTIONS.filter(({ about }) => about === undefined)
  const ids = (verdict: string) => ledger.filter((entry) => entry.verdict === verdict).map(({ id }) => id)
  const [proven, refuted] = [ids('confirmed'), ids('contradicted')]
  return table(
    ['', 'number', 'meaning'],
    [
      ['proven', String(proven.length), `Confirmed by these replies: ${proven.join(', ')}.`],
      [
        'refuted',
        String(refuted.length),
        `Contradicted. Most clients expect them, so only \`--profile observed\` drops them: ${refuted.join(', ')}.`
      ],
      [
        'assumed',
        String(ASSUMPTIONS.length - hidden.length - proven.length - refuted.length),
        'Your exchanges confirm or refute it.'
      ],
      [
        'unknown',
        String(hidden.length),
        `No exchange shows it, or it is about the mock alone: ${hidden.map(({ id }) => id).join(', ')}.`
      ]
    ]
  )
}

export const workspaceStatesTable = () => statesTable(WORKSPACE_STATES)
export const refreshStatesTable = () => statesTable(REFRESH_STATES)
export const backupStatesTable = () => statesTable(BACKUP_STATES)
export const restoreStatesTable = () => statesTable(RESTORE_STATES)

export function transitionsTable(): string {
  const list = (states: readonly string[], none: string) => (states.length === 0 ? none : states.map(code).join(', '))
  return table(
    [
      'id',
      'name',
      'trigger',
      'from',
      'no-op in',
      'during',
      'to',
      'on failure',
      'id (duration)',
      'instant',
      'fast',
      'realistic'
    ],
    TRANSITIONS.map(({ id, durationId, name, trigger, from, noopFrom, during, to, failsTo, duration }) => [
      id,
      code(name),
      trigger,
      list(from, 'none'),
      list(noopFrom, ''),
      code(during),
      list(to, 'gone'),
      code(failsTo),
      durationId,
      inWords(duration.instant),
      inWords(duration.fast),
      inWords(duration.realistic)
    ])
  )
}

export function inWords(milliseconds: number): string {
  if (milliseconds === 0) return '0'
  return milliseconds % 60_000 === 0 ? `${milliseconds / 60_000} min` : `${milliseconds / 1000} s`
}

/** What each plan of an exploration does, and what a right client does then. */
export function explorePlans(): string {
  const point = { operation: '', resource: '', digest: '', occurrence: 1 }
  return table(
    ['plan', 'of a', 'what goes wrong', 'a correct client'],
    PLAN_NAMES.map((kind) => {
      const { of, story, expects } = kindOf({ kind, point })
      return [code(kind), of === 'read' ? 'read' : 'write', story.replace('CALL', 'the call'), expects]
    })
  )
}

export function catalogueTables(): string {
  const { regions, versions, workspace_types: types, defaults } = BUILT_IN_CATALOGUE
  const sections: [heading: string, table: string][] = [
    [
      'Regions',
      table(
        ['name', 'description'],
        regions.map(({ name, description }) => [marked(name, defaults.region), description])
      )
    ],
    [
      'Versions',
      table(
        ['name', 'image'],
        versions.map(({ name, image }) => [marked(name, defaults.version), code(image)])
      )
    ],
    [
      'Workspace types',
      table(
        ['typeName', 'cpu (cores)', 'memory (GiB)', 'partition', 'replicas', 'with high availability'],
        types.map(({ typeName, cpu, memory, partition, replicas, ha }) => [
          marked(typeName, defaults.workspace_type),
          cpu,
          memory,
          String(partition),
          String(replicas),
          String(ha)
        ])
      )
    ]
  ]
  return sections.map(([heading, content]) => `## ${heading}\n\n${content}`).join('\n\n')
}

const marked = (name: string, byDefault: string) => (name === byDefault ? `${code(name)} (default)` : code(name))

export const quotasTable = () =>
  table(
    ['id', 'quota', 'counts per', 'failed ones count'],
    QUOTAS.map((name) => [
      QUOTA_IDS[name],
      code(name),
      BUILT_IN_QUOTAS[name].per,
      (BUILT_IN_QUOTAS[name] as QuotaRule).failed ? 'yes' : 'no'
    ])
  )

/** Enumerations with a section of their own. */
const LISTED_IN: readonly (readonly [values: readonly string[], link: string])[] = [
  [Object.keys(WORKSPACE_STATES), '[state](../assumptions.md#workspace-states)'],
  [BUILT_IN_CATALOGUE.workspace_types.map(({ typeName }) => typeName), '[type](catalogue.md#workspace-types)'],
  [BUILT_IN_CATALOGUE.versions.map(({ name }) => name), '[version](catalogue.md#versions)'],
  [BUILT_IN_CATALOGUE.regions.map(({ name }) => name), '[region](catalogue.md#regions)'],
  [Object.keys(ORG_ROLES), '[role](../assumptions.md#users)'],
  [OPERATION_IDS, '[operationId](../interface.md)'],
  [ERROR_TYPES, '[Type](../assumptions.md#errors)']
]

export function schemaTables(schemas: Readonly<Record<string, Schema>>): string {
  return Object.entries(schemas)
    .map(([name, { description = '', items, 'x-assumption': id, ...schema }]) =>
      [
        `## ${name}`,
        id === undefined ? description : `**${id}** ${description}`,
        ...tablesOf(items ?? schema, '')
      ].join('\n\n')
    )
    .join('\n\n')
}

/** The fields of a call, in a table for each kind of object. @param list the field whose items are described */
export function inputTables(call: string, list?: string): string {
  const { body } = callNamed(call)
  const { properties = {} } = body as Schema
  const tables = tablesOf(list === undefined ? (body as Schema) : properties[list]!.items!, '').join('\n\n')
  return `\n${tables.replaceAll('](../', '](')}\n`
}

export const reportRulesTable = (): string =>
  table(
    ['rule', 'when'],
    Object.entries(RULES).map(([rule, when]) => [code(rule), when])
  )

export const coverageTable = (): string =>
  table(
    ['list', 'items'],
    Object.entries(CoverageSchema.properties)
      .filter(([name]) => name !== 'summary')
      .map(([name, { description = '' }]) => [code(name), description])
  )

function tablesOf(schema: Schema, path: string): string[] {
  // Objects of one kind share a table.
  const kinds = groupBy(objectsIn(schema, path), ({ rows }) => JSON.stringify(rows))
  return [...kinds.values()].map((objects) => {
    const places = objects.map(({ place }) => (place === '' ? '' : code(place))).join(', ')
    return table([places === '' ? 'field' : `field of ${places}`, 'type', 'meaning'], objects[0]!.rows)
  })
}

function objectsIn({ properties = {}, required = [] }: Schema, path: string): { place: string; rows: string[][] }[] {
  const inner: ReturnType<typeof objectsIn> = []
  const rows = Object.entries(properties).map(([name, schema]) => {
    let object = schema.items ?? schema
    let place = `${path === '' ? '' : `${path}.`}${name}${schema.items === undefined ? '' : '[]'}`
    while (object.patternProperties !== undefined) {
      object = Object.values(object.patternProperties)[0]!
      place += '.…'
    }
    if (Object.keys(object.properties ?? {}).length > 0) inner.push(...objectsIn(object, place))
    const given = object.format === 'readable-id' ? '' : (schema.description ?? object.description ?? '')
    const meaning = [required.includes(name) ? 'Required.' : '', given.replace(FORM, '').trim()]
    const text = meaning.filter((part) => part !== '').join(' ')
    const [, form] = FORM.exec(given) ?? []
    return [code(name), form === undefined ? typeOf(schema) : form.toLowerCase(), text.replaceAll('|', '\\|')]
  })
  return [{ place: path, rows }, ...inner]
}

const FORM = / ?\b(Timestamp|Duration)(?: such as [^.]*)?\.$/

function typeOf({ $ref, type, format, enum: values, const: value, anyOf, items }: Schema): string {
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1)!
    return `[${name}](#${name.toLowerCase().replaceAll('.', '')})`
  }
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' or ')
  if (value !== undefined) return code(JSON.stringify(value))
  const listed = LISTED_IN.find(([list]) => list.join() === values?.join())
  if (listed !== undefined) return listed[1]
  if (values !== undefined) return values.map(code).join(', ')
  if (items !== undefined)
    return items.properties === undefined ? `array of ${typeOf(items) || 'values'}` : 'array of objects'
  return format ?? type ?? ''
}

export function toolsTable(): string {
  const rows = [...TOOLS, exploreTool].map(({ name, description, inputSchema: { properties } }) => {
    const { enum: actions = [] } = (properties['action'] ?? {}) as { enum?: readonly string[] }
    const [first = ''] = description.replaceAll('\n', ' ').split(/(?<=[.:]) /)
    return [code(name), actions.map(code).join(', '), first.replace(/[.:]$/, '')]
  })
  return table(['tool', 'actions', 'what it is for'], rows)
}
