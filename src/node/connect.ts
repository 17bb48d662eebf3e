import { type Condition, type ErrorDetail, ERRORS, RestatedError, ServiceError } from '../interface/errors.js'
import { BareError, callSite } from '../lib/call-site.js'
import { fillPath, queryText } from '../lib/fill-path.js'
import { isObject } from '../lib/json.js'
import { parsed } from '../lib/parsed.js'
import { isForkKey } from '../lib/secrets.js'
import { jsonOf, sendJson, type TextReply } from '../lib/send-json.js'
import { isVisible, NOT_VISIBLE } from '../lib/visible.js'
import { OptionError } from '../options.js'
import { openProfile } from '../resources/open-profile.js'
import type { Envelope } from '../test-control/handle/call-error.js'
import { fromCaller, throwingAt } from '../test-control/handle/from-caller.js'
import type { MockServer } from '../test-control/handle/handle.js'
import { keyOf } from './inside.js'
import { inputOf, type Invoke, methodsOf, resultOf } from './methods.js'
import { type Access, headersOf, sandboxHandle } from './sandbox-handle.js'

/** A server to connect to. */
interface Address {
  /** Its address, without the base path. */
  readonly url: string
  /** Its control token, if it has one. */
  readonly controlToken?: string
}

/** Sends a request. @returns the text of a successful reply */
type Ask = (method: string, path: string, body?: unknown) => Promise<string>

/**
 * Connects to a server that runs elsewhere, for example in a container.
 * @throws {OptionError} if the address or the token is invalid
 * @throws {ServiceError} if the server refuses the token
 */
export async function connectMock(server: Address): Promise<MockServer> {
  return throwingAt(callSite(connectMock), () => connect(server))
}

async function connect(server: Partial<Address> | null | undefined): Promise<MockServer> {
  const { url: given, controlToken = '' } = server ?? {}
  if (typeof given !== 'string' || !/^https?:\/\/[^/@?#]+(\/[^?#]*)?$/.test(given) || !URL.canParse(given))
    throw new OptionError('url must be the address of a server, such as http://127.0.0.1:4700, with no user or query')
  if (controlToken !== '' && !isVisible(controlToken)) throw new OptionError(`controlToken ${NOT_VISIBLE}`)
  const url = given.replace(/\/+$/, '')
  const ask = askWith(url, headersOf({ key: '', controlToken }))
  const { interface: controller } = resultIn(url, await ask('GET', '/')) as { readonly interface: string }
  const profile = await openProfile(resultIn(url, await ask('GET', '/_mock/profile')) as object)
  const base = `${url}${controller.slice(0, controller.length - profile.edge.prefix.length)}`

  const accessTo = (key: string): Access => {
    const ask = askWith(url, headersOf({ key, controlToken }))
    const recording = () => ask('GET', '/_mock/recording')
    return {
      url,
      key,
      controlToken,
      target: () => ({ url: base, key, profile }),
      invoke: invokeBy(url, ask),
      junit: () => ask('GET', '/_mock/coverage?format=junit'),
      recording,
      assertRemembers: async () => {
        // A reply to HEAD has no message, so GET explains a refusal.
        await ask('HEAD', '/_mock/recording').catch(recording)
      },
      remove: async () => {
        await ask('DELETE', '/_mock/sandboxes').catch((error: unknown) => {
          // A removed fork takes its key with it.
          if (!isForkKey(key) || !(error instanceof ServiceError) || error.status !== 401) throw error
        })
      },
      toFork: accessTo
    }
  }

  return fromCaller<MockServer>({
    url,
    sandbox: (key) => sandboxHandle(accessTo(keyOf(key))),
    sandboxes: methodsOf(invokeBy(url, ask)).sandboxes
  })
}

function invokeBy(url: string, ask: Ask): Invoke {
  return async (call, given) => {
    const { params, query, body } = inputOf(call, given)
    const path = `/_mock${fillPath(call.path, params)}${queryText(query as Readonly<Record<string, unknown>>)}`
    return resultOf(call, resultIn(url, await ask(call.method, path, body)))
  }
}

function askWith(url: string, headers: Readonly<Record<string, string>>): Ask {
  return async (method, path, body) => {
    const json = jsonOf(body)
    const reply = await sendJson(`${url}${path}`, { method, headers, json }).catch((error: unknown) => {
      throw new BareError(`${method} ${path}: ${url} gave no complete reply`, { cause: error })
    })
    if (reply.status >= 400) throw refusal(url, reply)
    return reply.text
  }
}

const resultIn = (url: string, text: string): unknown => envelopeIn(url, text).Result

function envelopeIn(url: string, text: string): Envelope {
  const reply = parsed(text)
  if (!isObject(reply) || !('RequestID' in reply)) throw new BareError(`${url} does not answer like svc-mock`)
  return reply
}

function refusal(url: string, { status, text }: TextReply): ServiceError {
  const { Message: message = '', ErrorDetails: details = [] } = envelopeIn(url, text)
  return new RestatedError(new ServiceError(conditionOf(status, message, details), message), status, message, details)
}

/** The condition behind a reply, as far as its status, type and reasons show it. */
function conditionOf(status: number, message: string, [detail]: readonly ErrorDetail[]): Condition {
  if (status === 400) return detail?.Reason === message ? 'notAllowed' : 'invalidBody'
  const found = Object.entries(ERRORS).find(([, error]) => error.status === status && error.type === detail?.Type)
  return (found?.[0] ?? 'internal') as Condition
}
