import { type Static, Type } from '@sinclair/typebox'
import type { Assumption } from '../../interface/assumption.js'
import { closed } from '../../lib/closed.js'

export const PlaceholderSchema = closed(
  {
    id: Type.String({ description: 'Such as P-017. It never changes, and is never given to another assumption.' }),
    topic: Type.String({ description: 'Heading under which the documents have it.' }),
    says: Type.String({ description: 'The assumption, in Markdown. Links are relative to docs/.' }),
    change: Type.String({ description: 'How to change it, in Markdown.' }),
    observable: Type.Boolean({
      description: 'Whether recorded exchanges with the real service can confirm or refute it.'
    })
  },
  { description: 'Something that the server assumes about the service, because the interface is silent.' }
)
type Placeholder = Static<typeof PlaceholderSchema>

/** The assumptions as they are shown to a test. */
export function listPlaceholders(assumptions: readonly Assumption[]): Placeholder[] {
  return assumptions.map(({ id, topic, says, change, about }) => ({
    id,
    topic,
    says,
    change,
    observable: about !== undefined
  }))
}
