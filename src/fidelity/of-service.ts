import type { OperationId } from '../interface/operation-ids.js'
import type { Api, Call } from './api.js'
import type { Exchange } from './exchange.js'

/** Operations with paths that other interfaces have as well, such as `/users`. */
const COMMON: readonly OperationId[] = ['listOrgUsers', 'updateOrgUserRoles']

/**
 * Leaves out exchanges with other hosts, which the archive of a browser has: a host is the service's if an operation
 * with a telling path is called there. Without any, all are the service's.
 */
export function ofService(exchanges: readonly Exchange[], api: Api): readonly Exchange[] {
  const all = exchanges.map((exchange) => ({ exchange, call: api.recognise(exchange) }))
  const told = all.filter(({ call }) => call !== undefined && !COMMON.includes(call.operation))
  if (told.length === 0) return exchanges
  const hosts = new Set(told.map(({ exchange }) => exchange.origin))
  const addresses = new Set(told.map(({ exchange, call }) => addressOf(exchange, call!)))
  return all
    .filter(({ exchange, call }) =>
      call === undefined ? hosts.has(exchange.origin) : addresses.has(addressOf(exchange, call))
    )
    .map(({ exchange }) => exchange)
}

/** The base URL of a call. */
const addressOf = ({ origin = '', path }: Exchange, call: Call) =>
  origin + path.slice(0, path.length - call.path.length)
