import type { OperationId } from '../interface/operation-ids.js'
import type { McpClient } from './client.js'
import { type CallableOperation, type InterfaceDocument, operationsOf } from './operations.js'
import { Refusal } from './refusal.js'

/** The interface of a server, in its words. */
interface Interface {
  readonly operations: ReadonlyMap<OperationId, CallableOperation>
  readonly schemas: InterfaceDocument['components']['schemas']
}

/** By server: the document takes a while to read, and does not change while a server runs. */
const known = new WeakMap<object, Promise<Interface>>()

/** Reads how a server is called. @throws {Refusal} if it does not say so */
export function readInterface({
  client,
  signal
}: {
  readonly client: McpClient
  readonly signal: AbortSignal
}): Promise<Interface> {
  const reading = known.get(client.server) ?? read(client, signal)
  known.set(client.server, reading)
  reading.catch(() => known.delete(client.server))
  return reading
}

async function read(client: McpClient, signal: AbortSignal): Promise<Interface> {
  const { status, text } = await client.request({ method: 'GET', path: '/openapi.json', signal })
  if (status !== 200) throw new Refusal(`${client.url} does not describe its interface.`, { status })
  const document = JSON.parse(text) as InterfaceDocument
  return { operations: operationsOf(document), schemas: document.components.schemas }
}
