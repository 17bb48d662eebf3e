import type { Catalogue, CatalogueParts } from '../profile/catalogue.js'
import type { Org } from '../sandboxes/sandbox.js'
import type { NewRow } from './field-table.js'

// What the examples in the OpenAPI document have in common. They are about the data of `--demo`, so that a reader can
// send each as it is; a test does that, and compares the replies.

/** The org of the demo data. */
export const DEMO_ORG: Org = { orgId: 'demo-org', orgName: 'Demo Org' }

/** Stands for any time. */
const MOMENT = '2026-01-02T03:04:05.678Z'

/** Stands for any id that the server chooses. */
export const NEW_ID = '1f0c2d3e-4b5a-4978-8695-a4b3c2d1e0f9'

/** Where the examples get their defaults from. */
export const exampleRow = (catalogue: Catalogue): NewRow => ({
  now: 0,
  timestamp: MOMENT,
  catalogue,
  newId: () => NEW_ID
})

/** The parts of a catalogue that the types in the demo data depend on. */
export interface TypeChoice {
  readonly workspaceTypes: readonly Pick<CatalogueParts['workspaceTypes'][number], 'typeName' | 'create' | 'resize'>[]
  readonly defaults: Pick<CatalogueParts['defaults'], 'workspaceType'>
}

/** A built-in workspace type, or the default one where the catalogue has no such type for new workspaces. */
export function typeLike(name: string, { workspaceTypes, defaults }: TypeChoice): string {
  return workspaceTypes.some(({ typeName, create }) => typeName === name && create) ? name : defaults.workspaceType
}

/** A workspace type that one of another type can be resized to: a built-in one, the largest, or none but its own. */
export function otherType(name: string, own: string, { workspaceTypes }: TypeChoice): string {
  const others = workspaceTypes.filter(({ typeName, resize }) => typeName !== own && resize)
  return (others.find(({ typeName }) => typeName === name) ?? others.at(-1))?.typeName ?? own
}
