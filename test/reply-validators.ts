import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Body } from './helper.js'

/** Fields that a reply may omit. */
const OPTIONAL: Record<string, readonly string[]> = {
  Workspace: ['condition_type', 'snapshot_time', 'size', 'graph_topology_size_bytes', 'vertex_count', 'edge_count'],
  // A workgroup has its own list of workspaces.
  SvcDatabase: ['workspaces'],
  'org_handler.OrgListUserResponse': ['lastLogin']
}
/** Schemas of both requests and replies, whose optional fields may be absent in a reply. */
const SENT_AND_ANSWERED = ['AgentConfig', 'WorkspaceAddonsRequest', 'WorkspaceSchedule']
const ENVELOPE = 'middleware.Response'

/** The validator of each reply in the document, which also refuses unknown fields. */
export function replyValidators(document: Body): (path: string, method: string, status: number) => ValidateFunction {
  const closed = close(document)
  for (const [name, schema] of Object.entries(closed.components.schemas as Record<string, Body>)) {
    if (name !== ENVELOPE && !SENT_AND_ANSWERED.includes(name)) requireAll(schema, OPTIONAL[name] ?? [])
  }
  const schemas = schemasIn(closed)
  return (path, method, status) => schemas('paths', path, method, 'responses', String(status), ...JSON_SCHEMA)
}

export const JSON_SCHEMA = ['content', 'application/json', 'schema'] as const

export function schemasIn(document: Body): (...steps: readonly string[]) => ValidateFunction {
  // Formats only apply to requests, and other keywords of the document are not for validation.
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
  ajv.addSchema(document as object, 'document')
  const known = new Map<string, ValidateFunction>()
  return (...steps) => {
    const pointer = steps.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')
    const validate = known.get(pointer) ?? ajv.compile({ $ref: `document#/${pointer}` })
    known.set(pointer, validate)
    return validate
  }
}

function close(value: Body): Body {
  if (Array.isArray(value)) return value.map(close)
  if (typeof value !== 'object' || value === null) return value
  const copy: Body = Object.fromEntries(Object.entries(value as object).map(([key, item]) => [key, close(item)]))
  return typeof copy.properties === 'object' && copy.type === 'object' ? { additionalProperties: false, ...copy } : copy
}

function requireAll(schema: Body, optional: readonly string[]): void {
  if (schema.items !== undefined) requireAll(schema.items, optional)
  if (schema.properties === undefined) return
  schema.required = Object.keys(schema.properties as object).filter((name) => !optional.includes(name))
  for (const property of Object.values(schema.properties as object)) requireAll(property, optional)
}
