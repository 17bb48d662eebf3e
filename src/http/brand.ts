import { OptionError, type Options } from '../options.js'
import { compileNames, type NamesDocument } from '../profile/names.js'
import type { BuiltIn, Profile } from '../profile/profile.js'
import { clashesOf } from '../profile/renaming.js'
import { openProfile } from '../resources/open-profile.js'
import { builtInWording } from '../resources/vocabulary.js'

/** The field that holds a resource name; each brand has its own name for it. */
const RESOURCE_NAME = 'srn'

/**
 * The profile of the options, with the names of their brand.
 * @throws {ProfileError} naming all errors in a profile
 * @throws {OptionError} see {@link withBrand}
 */
export async function profileOf(options: Pick<Options, 'profile' | keyof Brand>): Promise<Profile> {
  return withBrand(options, await openProfile(options.profile))
}

type Brand = Pick<Options, 'brand' | 'brandResourceName'>

/**
 * Adds the names of a brand to a profile, whose own names take precedence.
 * @throws {OptionError} if a branded name collides with another name
 */
export function withBrand(
  { brand, brandResourceName }: Brand,
  profile: Profile,
  builtIn: (profile: Profile) => Pick<BuiltIn, 'vocabulary'> = builtInWording
): Profile {
  if (brand === 'svc' && brandResourceName === RESOURCE_NAME) return profile
  const { names } = profile
  const { vocabulary } = builtIn(profile)
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
  return profile.withNames(compileNames(together))
}
