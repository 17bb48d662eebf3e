// A plugin of Stryker that leaves out what only people read: the texts and the examples of the OpenAPI documents. Other
// tests ask that each of them is there, not for its words.

const READ_BY_PEOPLE = new Set(['description', 'summary', 'example', 'examples'])

export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'prose',
    value: {
      shouldIgnore({ node, parent }) {
        const isValue = parent?.type === 'ObjectProperty' && parent.value === node
        return isValue && READ_BY_PEOPLE.has(parent.key.name) ? 'a text for people' : undefined
      }
    }
  }
]
