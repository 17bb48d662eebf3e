import { ServiceError } from '../../interface/errors.js'
import type { OnRequest } from '../request-context.js'

/** Refuses HTTP/1.1 without a Host header. Node would do that too, but not in the envelope. */
export const requireHost: OnRequest = ({ headers, raw }, reply, done) => {
  if (headers.host === undefined && raw.httpVersion === '1.1') {
    void reply.header('connection', 'close')
    throw new ServiceError('invalidBody', 'The request is not valid HTTP: it has no Host header.')
  }
  done()
}
