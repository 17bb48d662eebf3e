import { fits } from '../profile/field-values.js'
import type { AnsweredField, Extra } from '../profile/fields.js'
import type { Profile } from '../profile/profile.js'
import { EXTRA } from '../resources/extra.js'
import type { FindRelated, Ids } from '../resources/related.js'
import type { Described } from '../resources/vocabulary.js'
import { schemaParts } from './schema-parts.js'

type Json = Readonly<Record<string, unknown>>

/** Adds the further fields of a profile to replies. */
export interface AddedFields {
  /**
   * Copies a value with the fields that its schema has besides its own.
   * @param schema that of the value, by which it is found again
   * @param operation operationId of the request; undefined if it is for none
   * @param ids of what the request is about, where the value does not say it
   */
  readonly addTo: (
    value: unknown,
    schema: object,
    findRelated: FindRelated,
    operation: string | undefined,
    ids?: Ids
  ) => unknown
}

/**
 * @param schemas all schemas that are published under their own names
 * @returns undefined if replies have no further fields
 */
export function addedFieldsOf(
  { fields: { answered } }: Pick<Profile, 'fields'>,
  schemas: readonly object[]
): AddedFields | undefined {
  if (answered.size === 0) return undefined
  const partOf = schemaParts(schemas)
  const plans = new Map<Described, Plan>()

  /** Makes the plan of a schema once, also for one that refers to itself. */
  function planOf(schema: Described): Plan {
    const known = plans.get(schema)
    if (known !== undefined) return known
    const part = partOf(schema)
    const isList = part.items !== undefined
    const plan: Plan = {
      fields: isList ? [] : part.names.flatMap((name) => answered.get(name) ?? []),
      inside: new Map(),
      items: undefined,
      isEmpty: false
    }
    plans.set(schema, plan)
    for (const [name, property] of isList ? [] : part.properties) {
      const inner = planOf(property)
      if (!inner.isEmpty) plan.inside.set(name, inner)
    }
    if (isList) {
      const inner = planOf(part.items)
      if (!inner.isEmpty) plan.items = inner
    }
    plan.isEmpty = plan.fields.length === 0 && plan.inside.size === 0 && plan.items === undefined
    return plan
  }

  return {
    addTo: (value, schema, findRelated, operation, ids = {}) =>
      add(value, planOf(schema), { findRelated, operation, ids })
  }
}

/** What is added below a schema. */
interface Plan {
  readonly fields: readonly AnsweredField[]
  readonly inside: Map<string, Plan>
  items: Plan | undefined
  isEmpty: boolean
}

interface Context {
  readonly findRelated: FindRelated
  readonly operation: string | undefined
  readonly ids: Ids
}

function add(value: unknown, plan: Plan, context: Context): unknown {
  if (plan.isEmpty || typeof value !== 'object' || value === null) return value
  const { fields, inside, items } = plan
  if (Array.isArray(value)) return items === undefined ? value : value.map((item) => add(item, items, context))
  const own = value as Json & { readonly [EXTRA]?: Extra }
  const added: Record<string, unknown> = { ...own }
  for (const [name, inner] of inside) if (name in own) added[name] = add(own[name], inner, context)
  for (const field of fields) {
    if (context.operation !== undefined && field.except?.includes(context.operation) === true) continue
    const shown = valueOf(field, added, context)
    if (shown !== undefined) added[field.name] = shown
    else Reflect.deleteProperty(added, field.name)
  }
  return added
}

function valueOf(field: AnsweredField, own: Json, { findRelated, ids }: Context): unknown {
  const { name, value, source, schema, isStored } = field
  if (source === undefined) {
    if (schema === undefined) return value
    const { [EXTRA]: extra } = own as { readonly [EXTRA]?: Extra }
    // A value within something else that a request has sent is stored with that.
    const holder = isStored === true && extra !== undefined && Object.hasOwn(extra, name) ? extra : own
    return Object.hasOwn(holder, name) && fits(schema, holder[name]) ? holder[name] : value
  }
  let from: unknown = own
  for (const relation of source.relations) from = findRelated(relation, { ...ids, ...(from as Ids) })
  for (const step of source.path) from = (from as Json | undefined)?.[step]
  return from
}
