import { GatewayError } from '../gateway-error.js'
import type { OnRequest } from '../request-context.js'
import { readCredential } from './enter-sandbox.js'

/** Refuses a session that is really an API key. The control API takes either. With `--auth strict`, keys are known. */
export const refuseKeysAsBearer: OnRequest = ({ caller, headers, route }, _reply, done) => {
  if (caller !== undefined && route.config.isControl !== true) {
    const { kind, user } = readCredential(headers, true)!
    if (kind === 'session' && user === undefined)
      throw new GatewayError(
        'key_as_bearer',
        'unauthorized',
        'This is an API key: send it as x-api-key. A session names its user: Authorization: Bearer KEY:USER.'
      )
  }
  done()
}
