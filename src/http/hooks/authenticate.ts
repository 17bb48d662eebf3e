import type { authenticator } from '../credentials.js'
import type { OnRequest } from '../request-context.js'

/** Identifies the caller by its credential, if the route needs one. */
export function authenticate(identify: ReturnType<typeof authenticator>): OnRequest {
  return (request, _reply, done) => {
    const { access } = request.route.config
    if (access !== undefined) request.caller = identify(request.headers, access)
    done()
  }
}
