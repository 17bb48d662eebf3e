import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { ASSUMED_STATUSES } from './operation.js'

type Json = Record<string, unknown>

const DESCRIPTION = `Reference server for the control plane of a cloud database service.

What is marked \`x-placeholder: true\` is an assumption of this server: the interface that it mirrors does not show it.`

/** Publishes the OpenAPI document of the routes that are registered after it, at \`/openapi.json\`. */
export async function publishOpenApi(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'svc-mock', description: DESCRIPTION, version, license: { name: 'MIT', identifier: 'MIT' } },
      servers: [{ url: '/', description: 'This server.' }],
      tags: [
        { name: 'Workgroups', description: 'Groups of workspaces and databases in one region.' },
        { name: 'Allow list', description: 'Addresses that may reach the workspaces of a workgroup.' },
        { name: 'Databases', description: 'Data that workspaces work on.' },
        { name: 'Workspaces', description: 'Database servers, with states that change over time.' },
        { name: 'Backups', description: 'Backups of a workspace, and jobs that restore them.' },
        { name: 'Schedules', description: 'When backups are made, and when a workspace is stopped, started or resized.' },
        { name: 'Database users', description: 'Users inside the database of a workspace.' },
        { name: 'Org users', description: 'Users of the org, and their roles.' }
      ],
      components: {
        securitySchemes: {
          apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'An API key; it names the sandbox.', ...assumedScheme },
          session: { type: 'http', scheme: 'bearer', description: "An org user's session; it names the sandbox.", ...assumedScheme }
        }
      }
    },
    refResolver: { buildLocalReference: (json, _baseUri, _fragment, index) => (typeof json.$id === 'string' ? json.$id : `schema-${index}`) },
    transformObject
  } as FastifyDynamicSwaggerOptions)

  let text: string | undefined
  app.get('/openapi.json', { schema: { hide: true } }, (_request, reply) => {
    text ??= JSON.stringify(app.swagger(), null, 2)
    void reply.type('application/json; charset=utf-8').send(text)
  })
}

const assumedScheme = { 'x-placeholder': true } as object

/** Marks assumed statuses, and says of each operation which credentials it takes. */
const transformObject: FastifyDynamicSwaggerOptions['transformObject'] = (document) => {
  const { openapiObject } = document as unknown as { openapiObject: { paths: Record<string, Record<string, Json>> } }
  for (const operation of Object.values(openapiObject.paths).flatMap((item) => Object.values(item))) {
    const responses = operation['responses'] as Record<string, Json>
    for (const status of operation[ASSUMED_STATUSES] as number[]) responses[status]!['x-placeholder'] = true
    Reflect.deleteProperty(operation, ASSUMED_STATUSES)
  }
  return openapiObject
}
