interface Pair {
  readonly own: unknown
  readonly theirs: unknown
}

/**
 * Chooses pairs in their order, so that nothing is in two of them.
 * @param isPair decides only about what is still free
 */
export function oneToOne<P extends Pair>(pairs: readonly P[], isPair: (pair: P) => boolean = () => true): P[] {
  const [ours, others] = [new Set<unknown>(), new Set<unknown>()]
  return pairs.filter((pair) => {
    if (ours.has(pair.own) || others.has(pair.theirs) || !isPair(pair)) return false
    ours.add(pair.own)
    others.add(pair.theirs)
    return true
  })
}

/** Matches things one to one. A pair for which an earlier rule holds takes precedence. */
export function match<A, B>(
  ours: readonly A[],
  others: readonly B[],
  ...rules: readonly ((own: A, theirs: B) => boolean)[]
) {
  const pairs = rules.flatMap((rule) => ours.flatMap((own) => others.map((theirs) => ({ own, theirs, rule }))))
  const matches = oneToOne(pairs, ({ own, theirs, rule }) => rule(own, theirs))
  return {
    /** In the order of `ours`. */
    matches: ours.flatMap((one) => matches.filter(({ own }) => own === one)),
    /** Only among `ours`. */
    missing: ours.filter((one) => !matches.some(({ own }) => own === one)),
    /** Only among `others`. */
    added: others.filter((one) => !matches.some(({ theirs }) => theirs === one))
  }
}
