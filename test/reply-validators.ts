import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Body } from './helper.js'

/** Fields of replies that may be absent; the server sends all others. */
const OPTIONAL: Record<string, readonly string[]> = {
  Workspace: ['condition_type', 'snapshot_time', 'size', 'graph_topology_size_bytes', 'vertex_count', 'edge_count'],
  // A workgroup lists its workspaces itself.
  SvcDatabase: ['workspaces'],
  'org_handler.OrgListUserResponse': ['lastLogin']
}
/** Schemas that are both sent and answered: what is optional in a request may be absent in the reply. */
const SENT_AND_ANSWERED = ['AgentConfig', 'WorkspaceAddonsRequest', 'WorkspaceSchedule']
/** What a reply in the envelope may lack is checked by hand. */
const ENVELOPE = 'middleware.Response'

/** The validator of each reply, out of the document, but so that no field may be there that it does not name. */
export function replyValidators(document: Body): (path: string, method: string, status: number) => ValidateFunction {
  const closed = close(document)
  for (const [name, schema] of Object.entries(closed.components.schemas as Record<string, Body>)) {
    if (name !== ENVELOPE && !SENT_AND_ANSWERED.includes(name)) requireAll(schema, OPTIONAL[name] ?? [])
  }
  const schemas = schemasIn(closed)
  return (path, method, status) => schemas('paths', path, method, 'responses', String(status), ...JSON_SCHEMA)
}

/** Where the schema of JSON is, in what an operation takes or answers. */
export const JSON_SCHEMA = ['content', 'application/json', 'schema'] as const

/** The validators of the schemas of a document, by their place in it; each is made once. */
export function schemasIn(document: Body): (...steps: readonly string[]) => ValidateFunction {
  // Formats describe what a request may be; the keywords of the document that are not for a schema mean nothing here.
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
