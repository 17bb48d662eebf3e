import { OptionalKind, type TProperties, type TSchema } from '@sinclair/typebox'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { NAMED_SCHEMAS } from '../src/resources/vocabulary.js'
import type { Body } from './helper.js'

/** Schemas of both requests, which may omit fields, and replies, which have all. */
const COMPLETE = ['AgentConfig', 'AllowedIP', 'BackupSchedule']

/** The validator of each reply in the document, which also refuses unknown fields. */
export function replyValidators(document: Body): (path: string, method: string, status: number) => ValidateFunction {
  const closed = close(document)
  for (const source of NAMED_SCHEMAS) {
    const schema = (closed.components.schemas as Record<string, Body>)[source.$id]
    if (schema !== undefined) requireAll(schema, COMPLETE.includes(source.$id) ? undefined : source)
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

/** Requires all fields but those that the source makes optional. */
function requireAll(schema: Body, source: TSchema | undefined): void {
  if (schema.items !== undefined) requireAll(schema.items, source?.items as TSchema)
  if (schema.properties === undefined) return
  const fields = (source?.['properties'] ?? {}) as TProperties
  const isOptional = (name: string) => OptionalKind in (fields[name] ?? {})
  schema.required = Object.keys(schema.properties as object).filter((name) => !isOptional(name))
  for (const [name, property] of Object.entries(schema.properties as Record<string, Body>))
    requireAll(property, fields[name])
}
