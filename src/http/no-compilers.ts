/** For an application that neither validates nor serializes by a schema. Otherwise, Fastify loads its compilers. */
export const NO_COMPILERS = {
  compilersFactory: { buildValidator: () => () => () => true, buildSerializer: () => () => JSON.stringify } as never
}
