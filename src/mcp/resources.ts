import { readFile } from 'node:fs/promises'
import type { Resource as ListedResource } from '@modelcontextprotocol/server'
import { isOperation } from '../interface/operation-ids.js'
import { packageFile } from '../lib/package-file.js'
import { wholeSchema } from '../lib/whole-schema.js'
import { operationsTable, type Reading, readInterface } from './operations.js'
import { controlBy } from './tool.js'

/** `npm run build` copies the document there. */
const ASSUMPTIONS = packageFile('dist/mcp/assumptions.md')

interface Resource extends ListedResource {
  readonly mimeType: string
  readonly read: (reading: Reading) => Promise<string>
}

export const RESOURCES: readonly Resource[] = [
  {
    uri: 'svc-mock://interface',
    name: 'interface',
    title: 'The operations',
    description: 'A table of the operations of the mocked interface: name, method, path, body.',
    mimeType: 'text/markdown',
    read: async (reading) => operationsTable((await readInterface(reading)).operations.values())
  },
  {
    uri: 'svc-mock://assumptions',
    name: 'assumptions',
    title: 'Assumptions about the service',
    description:
      'What svc-mock assumes where the interface is silent, and how to change that: states, errors, quotas, and more.',
    mimeType: 'text/markdown',
    read: () => readFile(ASSUMPTIONS, 'utf8')
  },
  {
    uri: 'svc-mock://profile',
    name: 'profile',
    title: 'Profile in force',
    description: "This server's assumptions about the service, as a profile: catalogue, durations, quotas, names.",
    mimeType: 'application/json',
    read: async ({ client, signal }) => {
      const control = controlBy(client, (request) => client.request({ ...request, signal }))
      return JSON.stringify((await control('readProfile')).result, null, 2)
    }
  }
]

const OPERATION = 'svc-mock://operation/'

export const RESOURCE_TEMPLATES = [
  {
    uriTemplate: `${OPERATION}{operation}`,
    name: 'operation',
    title: 'One operation',
    description: 'How an operation is called: method, path, ids, the schema of its body, an example.',
    mimeType: 'application/json'
  }
] as const

/** Reads a resource. @returns undefined if there is no such resource */
export async function readResource(
  uri: string,
  reading: Reading
): Promise<{ readonly mimeType: string; readonly text: string } | undefined> {
  const resource = RESOURCES.find((known) => known.uri === uri)
  if (resource !== undefined) return { mimeType: resource.mimeType, text: await resource.read(reading) }
  const operation = uri.startsWith(OPERATION) ? uri.slice(OPERATION.length) : ''
  if (!isOperation(operation)) return undefined
  const { operations, schemas } = await readInterface(reading)
  const found = operations.get(operation)
  if (found === undefined) return undefined
  return {
    mimeType: RESOURCE_TEMPLATES[0].mimeType,
    text: JSON.stringify({ ...found, body: wholeSchema(found.body, schemas) }, null, 2)
  }
}
