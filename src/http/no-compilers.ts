/**
 * For an application that checks nothing and serializes nothing by a schema. Without any compilers, Fastify would load
 * its own.
 */
export const NO_COMPILERS = {
  compilersFactory: { buildValidator: () => () => () => true, buildSerializer: () => () => JSON.stringify } as never
}
