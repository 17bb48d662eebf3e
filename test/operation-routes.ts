import { layOut } from './doc-parts.js'
import { CONTROLLER, needsSession, readOperations, routesOf } from './operations.js'

/** Constants for prefixes of paths. */
const PREFIXES = [
  ['BASE', CONTROLLER],
  ['GROUP', `${CONTROLLER}/workgroups/{workgroupID}`],
  ['WORKSPACE', `${CONTROLLER}/workgroups/{workgroupID}/workspaces/{workspaceID}`]
] as const

function shortened(path: string, except?: string): string {
  const prefix = PREFIXES.findLast(([name, begin]) => name !== except && path.startsWith(begin))
  if (prefix === undefined) return `'${path}'`
  const [name, begin] = prefix
  return path === begin ? name : `\`\${${name}}${path.slice(begin.length)}\``
}

/** `src/interface/operation-routes.ts`: how each operation is sent. */
export async function handleRoutes(): Promise<string> {
  const operations = readOperations()
  const routes = routesOf(operations)
  const lines = operations.map((operation) => {
    const { operationId, method, path, body } = operation
    const isShared = routes.get(`${method} ${path}`)!.length > 1
    const chosen = operationId.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    const facts = [
      `method: '${method.toUpperCase()}'`,
      `path: ${shortened(path)}`,
      ...(isShared ? [`query: 'operation=${chosen}'`] : []),
      ...(body === undefined ? [] : ['hasBody: true']),
      ...(needsSession(operation) ? ['needsSession: true'] : [])
    ]
    return `${operationId}: { ${facts.join(', ')} }`
  })
  return layOut(
    [
      '// Made from docs/interface.md by test/operation-routes.ts. Do not edit it: `npm run docs` updates it.\n',
      '/** How an operation is sent. */',
      'export interface OperationRoute {',
      'readonly method: string',
      '/** Below the base path, with ids in braces. */',
      'readonly path: string',
      'readonly query?: string',
      'readonly hasBody?: true',
      '/** It accepts a session only, and no API key. */',
      'readonly needsSession?: true',
      '}\n',
      ...PREFIXES.map(([name, path]) => `const ${name} = ${shortened(path, name)}`),
      `\nconst ROUTES = {\n${lines.join(',\n')}\n} as const satisfies Readonly<Record<string, OperationRoute>>\n`,
      'export type OperationId = keyof typeof ROUTES\n',
      '/** The routes of the interface, in its order, without a profile. */',
      'export const OPERATION_ROUTES: Readonly<Record<OperationId, OperationRoute>> = ROUTES'
    ].join('\n')
  )
}
