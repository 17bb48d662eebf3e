import { OptionError, type Options } from '../options.js'
import { compileNames, type Names, type NamesDocument, type Vocabulary } from '../profile/names.js'
import { clashesOf } from '../profile/renaming.js'

/** The field that holds a resource name; each brand has its own name for it. */
const RESOURCE_NAME = 'srn'

/**
 * The names of the interface under the options for a brand, which are a short form of a profile's names.
 * @param names those of the profile, which come first
 * @throws {OptionError} if a branded name collides with another name
 */
export function withBrand(
  { brand, brandResourceName }: Pick<Options, 'brand' | 'brandResourceName'>,
  names: Names,
  vocabulary: Vocabulary
): Names {
  if (brand === 'svc' && brandResourceName === RESOURCE_NAME) return names
  const rename = (name: string) =>
    name
      .replaceAll('SVC', brand.toUpperCase())
      .replaceAll('Svc', `${brand[0]!.toUpperCase()}${brand.slice(1)}`)
      .replaceAll('svc', brand)
  const renamed = (known: readonly string[]) =>
    Object.fromEntries(known.filter((name) => /svc/i.test(name)).map((name) => [name, rename(name)]))
  const branded = {
    fields: { ...renamed(vocabulary.fields), [RESOURCE_NAME]: brandResourceName },
    schemas: renamed(vocabulary.schemas),
    values: renamed(vocabulary.values),
    prefixes: { 'srn:svc:': `${brandResourceName}:${brand}:`, 'svc/': `${brand}/` }
  } satisfies NamesDocument
  const together = Object.fromEntries(
    (Object.keys(branded) as (keyof typeof branded)[]).map((kind) => [
      kind,
      { ...branded[kind], ...Object.fromEntries(names[kind].names) }
    ])
  ) as typeof branded
  for (const kind of ['fields', 'schemas', 'values'] as const) {
    const [clash] = clashesOf(together[kind], vocabulary[kind])
    if (clash === undefined) continue
    const option = clash.name === RESOURCE_NAME ? '--brand-resource-name' : '--brand'
    throw new OptionError(`${option} would rename ${clash.name} to ${clash.other}, which is the name of something else`)
  }
  return compileNames(together)
}
