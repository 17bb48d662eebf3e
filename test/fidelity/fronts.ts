import type { SandboxHandle } from '../../src/node/index.js'
import type { Front, WireReply, WireRequest } from './recorder.js'
import { refusal } from './rewrites.js'

type Json = Readonly<Record<string, unknown>>
type MakeFront = (box: SandboxHandle) => Front

const resultOf = ({ body }: WireReply) => (body as { readonly Result?: Json } | undefined)?.Result ?? {}

/** Refuses requests that the server accepts. @param path the end of their path, after that of the resource */
export function refusing(
  method: string,
  path: string,
  isRefused: (resource: Json) => boolean,
  message: string
): MakeFront {
  return () => async (request, next) => {
    if (request.method !== method || !request.path.endsWith(path)) return next(request)
    const { headers } = request
    const of = request.path.slice(0, -path.length)
    const resource = await next({ method: 'GET', path: of, query: '', headers })
    if (!isRefused(resultOf(resource))) return next(request)
    return { ...resource, status: 400, body: refusal(resource, message) }
  }
}

/** Changes the bodies of requests. */
export function sending(method: string, path: RegExp, change: (body: Json) => Json): MakeFront {
  return () => async (request, next) => {
    const { body } = request
    const isMeant = request.method === method && path.test(request.path) && typeof body === 'object'
    return next(isMeant ? { ...request, body: change(body as Json) } : request)
  }
}

/** Replaces texts in all requests and replies. */
export function renaming(toClient: (text: string) => string, toServer: (text: string) => string): MakeFront {
  const through = <T>(value: T, change: (text: string) => string): T =>
    value === undefined ? value : (JSON.parse(change(JSON.stringify(value))) as T)
  return () => async (request, next) => {
    const { body, ...line } = request
    const sent: WireRequest = {
      ...line,
      path: toServer(line.path),
      ...(body === undefined ? {} : { body: through(body, toServer) })
    }
    return through(await next(sent), toClient)
  }
}

/** Replaces the values of a field in replies. */
export function answering(field: string, change: (value: unknown) => unknown) {
  return <Reply extends Pick<WireReply, 'body'>>(reply: Reply): Reply => {
    if (reply.body === undefined) return reply
    const text = JSON.stringify(reply.body, (name, value: unknown) => (name === field ? change(value) : value))
    return { ...reply, body: JSON.parse(text) as unknown }
  }
}

/** Changes the replies of a front. */
export function changingReplies(front: MakeFront, change: (reply: WireReply) => WireReply): MakeFront {
  return (box) => {
    const inner = front(box)
    return async (request, next) => change(await inner(request, next))
  }
}

/** Deletes a workgroup with its databases, if it has no workspaces. */
export const cascading: MakeFront = (box) => async (request, next) => {
  const workgroupID = /\/workgroups\/([^/]+)$/.exec(request.path)?.[1]
  if (request.method === 'DELETE' && workgroupID !== undefined) {
    const workgroup = await box.call('getWorkgroup', { workgroupID }).catch(() => undefined)
    if (workgroup?.workspaces.length === 0)
      for (const { database_id: databaseID } of workgroup.svc_databases)
        await box.call('deleteDatabase', { workgroupID, databaseID })
  }
  return next(request)
}

/** Leaves a workspace Failed when its resize has failed. */
export const failingResizes: MakeFront = (box) => {
  const known = new Set<string>()
  return async (request, next) => {
    const failures = (await box.timeline()).filter(
      ({ transition, to, reason }) => transition === 'workspace.resize' && to === 'Active' && reason !== null
    )
    for (const { at, resource_id: id } of failures) {
      if (known.has(at)) continue
      known.add(at)
      const document = structuredClone(await box.state.read()) as unknown as {
        workgroups: { workspaces: { id: string; status: string }[] }[]
      }
      for (const workspace of document.workgroups.flatMap(({ workspaces }) => workspaces))
        if (workspace.id === id) workspace.status = 'Failed'
      await box.state.replace(document as never)
    }
    return next(request)
  }
}
