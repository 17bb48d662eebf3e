import { MiddlewareResponseSchema } from '../interface/envelope.js'
import type { Catalogue } from '../profile/catalogue.js'
import type { ControlPlane } from '../resources/control-plane.js'
import { DEMO_ORG } from '../resources/demo.js'
import { demoRows } from '../resources/demo-rows.js'
import { relatedIn } from '../resources/related.js'
import { JSON_TEXT_RESULTS } from '../resources/vocabulary.js'
import type { AddedFields } from './added-fields.js'

/** A part of an OpenAPI document, as far as its examples need it. */
interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, Properties>> }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

interface Properties {
  properties?: Readonly<Record<string, unknown>>
}

interface Operation {
  readonly responses: Readonly<Record<string, Reply>>
}

interface Reply {
  readonly content?: Readonly<
    Record<string, { readonly schema: Properties; readonly examples?: Readonly<Record<string, { value: unknown }>> }>
  >
}

/** What the examples are about, where they do not say it. */
const DEMO_IDS = { workgroup_id: 'demo', workspace_id: 'main' }

/**
 * Adds further fields to the replies of an OpenAPI document, where named schemas do not: to its examples, which are
 * about the demo data, and to envelopes with a result, which have no name.
 */
export function addToReplies(
  document: unknown,
  { addTo }: AddedFields,
  { profile, view }: Pick<ControlPlane, 'profile' | 'view'>
): unknown {
  const find = relatedIn(DEMO_ORG, demoStores(profile.catalogue), { ...view, now: 0 })
  const { schemas } = (document as Document).components
  const { properties: ofEnvelopes } = schemas[MiddlewareResponseSchema.$id!] ?? {}
  const replies = Object.values((document as Document).paths)
    .flatMap((path) => Object.values(path))
    .flatMap(({ responses }) => Object.values(responses))
  for (const { schema, examples = {} } of replies.flatMap(({ content = {} }) => Object.values(content))) {
    const { properties } = schema
    if (properties !== undefined && 'RequestID' in properties) schema.properties = { ...ofEnvelopes, ...properties }
    for (const [operation, example] of Object.entries(examples))
      example.value = withTextResult(operation, addTo(example.value, schema, find, operation, DEMO_IDS))
  }
  return document

  function withTextResult(operation: string, value: unknown): unknown {
    const item = JSON_TEXT_RESULTS.get(operation)
    const { Result } = value as { readonly Result?: unknown }
    if (item === undefined || typeof Result !== 'string') return value
    const list: unknown = addTo(JSON.parse(Result), { items: { $ref: `${item}#` } }, find, operation, DEMO_IDS)
    return { ...(value as object), Result: JSON.stringify(list) }
  }
}

/** The demo data, as far as something can belong to it. */
function demoStores(catalogue: Catalogue) {
  const { workgroups, databases, workspaces } = demoRows(catalogue)
  return {
    workgroups: { find: (id: string) => Object.values(workgroups).find((workgroup) => workgroup.id === id) },
    databases: { find: (_workgroup: string, id: string) => databases.find((database) => database.id === id) },
    workspaces: { find: (id: string) => workspaces.find((workspace) => workspace.id === id) }
  }
}
