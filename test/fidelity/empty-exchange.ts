import type { Exchange } from '../../src/fidelity/exchange.js'

/** An exchange with nothing to mask in it. */
export const EMPTY: Exchange = {
  number: 1,
  sent: 0,
  answered: 1,
  method: 'POST',
  path: '/',
  query: '',
  requestHeaders: {},
  status: 200,
  headers: {}
}
