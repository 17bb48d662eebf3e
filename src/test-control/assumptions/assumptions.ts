import { type Static, Type } from '@sinclair/typebox'
import { enumeration } from '../../interface/schemas.js'
import { plainText } from '../../lib/plain-text.js'
import { strict } from '../../lib/strict.js'
import { toProfileDocument } from '../../profile/profile.js'
import { SHIPPED_PROFILES } from '../../profile/shipped.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import { STATES } from '../../resources/states.js'

export const AssumptionSchema = strict(
  {
    id: Type.String({ description: 'Such as P-017. It never changes, and is never given to another assumption.' }),
    topic: Type.String({ description: 'Heading under which the documents have it.' }),
    says: Type.String({ description: 'The assumption.' }),
    change: Type.String({ description: 'How to change it.' }),
    observable: Type.Boolean({
      description: 'Whether recorded exchanges with the real service can confirm or refute it.'
    }),
    published: Type.Optional(
      strict(
        {
          verdict: enumeration(['confirmed', 'contradicted', 'unseen'], 'Whether they agree, or do not show it.'),
          exchanges: Type.Array(Type.Integer(), { description: 'Numbers of the first ones that decide it.' })
        },
        {
          description:
            'Evidence in replies of the service that its users have published; absent under a profile of your own.'
        }
      )
    )
  },
  { description: 'Something that the server assumes about the service, because the interface is silent.' }
)
type Assumption = Static<typeof AssumptionSchema>

/** The complete profile in force. */
export const profileInForce = ({ profile }: Pick<ControlPlane, 'profile'>) => toProfileDocument(profile, STATES)

/** The assumptions under the profile in force, with the verdict of published replies. */
export async function listAssumptions({
  profile,
  options
}: Pick<ControlPlane, 'profile' | 'options'>): Promise<Assumption[]> {
  // Loaded only here: no request to the interface needs them.
  const [{ assumptionsUnder }, { PUBLISHED }] = await Promise.all([
    import('../../resources/all-assumptions.js'),
    import('../../resources/published.js')
  ])
  const published = PUBLISHED[shippedName(options.profile)]
  return assumptionsUnder(profile).map(({ id, topic, says, change, about }) => {
    const { verdict = 'unseen', exchanges = [] } = published?.[id] ?? {}
    return {
      id,
      topic,
      says: plainText(says),
      change: plainText(change),
      observable: about !== undefined,
      ...(published === undefined ? {} : { published: { verdict, exchanges: [...exchanges] } })
    }
  })
}

/** The name of the shipped profile that an option stands for; empty for any other profile. */
function shippedName(given: string | object): string {
  if (given === '') return 'conventional'
  return typeof given === 'string' && Object.hasOwn(SHIPPED_PROFILES, given) ? given : ''
}
