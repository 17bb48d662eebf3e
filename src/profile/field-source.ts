import type { TSchema } from '@sinclair/typebox'
import { didYouMean, nearest } from '../lib/nearest.js'
import { RELATED, type Relation, type ShownResources } from './stored-kinds.js'

type Described = TSchema & {
  readonly $ref?: string
  readonly type?: string
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly items?: Described
}

/** The properties of an object, or of the items of a named list. */
export const propertiesOf = (schema: Described | undefined) =>
  schema?.properties ?? (schema?.$id === undefined ? undefined : schema.items?.properties) ?? {}

/** Makes a function that finds the field that a field of a schema mirrors, or returns the reason why it cannot. */
export function sourceFinder(named: ReadonlyMap<string, TSchema>, resources: ShownResources) {
  const target = (schema: Described | undefined): Described | undefined =>
    schema?.$ref === undefined ? schema : named.get(schema.$ref.slice(0, -1))
  return (name: string, from: string) => {
    const steps = from.split('.')
    const relations: Relation[] = []
    let own = name
    while (steps.length > 1 && !Object.hasOwn(propertiesOf(named.get(own)), steps[0]!)) {
      const relation = resources.get(own)?.parents.find((one) => one === steps[0])
      if (relation === undefined) break
      relations.push(relation)
      own = RELATED[relation]
      steps.shift()
    }
    let at: Described | undefined = named.get(own)
    let schema: TSchema | undefined
    let of: string | undefined
    for (const step of steps) {
      const fields: Readonly<Record<string, TSchema>> = propertiesOf(target(at))
      of = target(at)?.$id
      schema = Object.hasOwn(fields, step) ? fields[step] : undefined
      if (schema === undefined) {
        const known = [
          ...Object.keys(propertiesOf(named.get(own))),
          ...(relations.length === 0 ? (resources.get(own)?.parents ?? []) : [])
        ]
        const before = relations.map((relation) => `${relation}.`).join('')
        const meant = nearest(steps[0]!, known)
        return `must be a field of ${name}, but is ${from}${didYouMean(meant && before + meant)}`
      }
      at = schema
    }
    // Views of related resources lack their lists.
    if (relations.length > 0 && ['array', 'object'].includes(target(at)?.type ?? 'object'))
      return `must be a text, a number or a boolean of the ${relations.at(-1)!}, but is ${from}`
    return { source: { relations, path: steps }, schema: schema!, mirrored: { field: steps.at(-1)!, of } }
  }
}
