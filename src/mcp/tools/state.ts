import { Type } from '@sinclair/typebox'
import { defineActions } from '../tool.js'

export const stateTool = defineActions({
  name: 'state',
  title: 'State document',
  description: `The whole sandbox as one document: workgroups with their databases and workspaces, clock, faults, rules,
scheduled events, timeline, quotas.

- read: the document. Select a part, such as workgroups[].workspaces[].{id: id, name: name, status: status}.
- put: replace the sandbox by a document, which may leave out nearly everything:
  {"clock": {"mode": "frozen"}, "workgroups": [{"id": "main", "workspaces": [{"id": "writer", "status": "Stopped"}]}]}.
  With as_baseline, a reset returns to it.`,
  input: {
    document: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'For put: the document, in the form that read has.' })
    ),
    as_baseline: Type.Optional(
      Type.Boolean({ description: 'For put: whether a reset returns to it; false if absent.' })
    )
  },
  isDestructive: true,
  actions: {
    read: { run: async (_, { control }) => ({ result: (await control('readState')).result }) },
    put: {
      takes: ['document', 'as_baseline'],
      needs: ['document'],
      run: ({ document, as_baseline: isBaseline }, { control }) =>
        control(isBaseline === true ? 'seedSandbox' : 'replaceState', document)
    }
  }
})
