// Made from test/fidelity/evidence/ by test/published.ts. Do not edit it: `npm run docs` updates it.

/** The verdict of published replies on an assumption. */
interface Published {
  readonly verdict: 'confirmed' | 'contradicted'
  /** Numbers of the first exchanges that decide it, from 1. */
  readonly exchanges: readonly number[]
}

/** Verdicts that hold under every shipped profile, by the id of the assumption. */
const ALIKE: Readonly<Record<string, Published>> = {
  'P-003': { verdict: 'confirmed', exchanges: [10, 25] },
  'P-005': { verdict: 'confirmed', exchanges: [1, 3, 4, 5, 6, 7, 8, 9, 10, 11] },
  'P-008': { verdict: 'confirmed', exchanges: [7, 8, 9, 10, 11] },
  'P-012': { verdict: 'confirmed', exchanges: [1, 3, 4, 5, 6, 7, 8, 9, 10, 11] },
  'P-013': { verdict: 'confirmed', exchanges: [1, 3, 4, 5, 6, 7, 8, 9, 10, 11] },
  'P-014': { verdict: 'confirmed', exchanges: [1, 3, 4, 5, 6, 7, 8, 9, 10, 11] },
  'P-016': { verdict: 'confirmed', exchanges: [1, 3, 4, 5, 6, 7, 8, 9, 10, 11] },
  'P-019': { verdict: 'confirmed', exchanges: [14, 35] },
  'P-028': { verdict: 'confirmed', exchanges: [1, 3, 4, 5, 6, 7, 8, 9, 10, 11] },
  'P-024': { verdict: 'confirmed', exchanges: [1, 3, 4, 5, 6, 7, 8, 9, 10, 11] },
  'P-027': { verdict: 'confirmed', exchanges: [1, 3, 4, 5, 6, 7, 8, 9, 10, 11] },
  'P-034': { verdict: 'confirmed', exchanges: [1, 3, 4, 5, 6, 7, 8, 9, 10, 11] },
  'P-031': { verdict: 'confirmed', exchanges: [7, 8, 9, 11] },
  'P-033': { verdict: 'confirmed', exchanges: [1, 3, 4, 5, 6, 7, 8, 9, 10, 11] },
  'P-061': { verdict: 'confirmed', exchanges: [14, 35] },
  'P-073': { verdict: 'confirmed', exchanges: [1, 3, 4, 5, 6, 7, 8, 9, 11] },
  'P-074': { verdict: 'confirmed', exchanges: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] },
  'P-075': { verdict: 'confirmed', exchanges: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] },
  'P-102': { verdict: 'confirmed', exchanges: [6, 7, 8, 9, 10, 11, 34] },
  'P-103': { verdict: 'confirmed', exchanges: [13, 15, 16, 17, 18] },
  'P-105': { verdict: 'confirmed', exchanges: [1, 24, 25, 27] },
  'P-106': { verdict: 'confirmed', exchanges: [3, 4, 5, 29, 30] },
  'P-114': { verdict: 'confirmed', exchanges: [12, 24, 26] },
  'P-115': { verdict: 'confirmed', exchanges: [24] },
  'P-117': { verdict: 'confirmed', exchanges: [6, 34] },
  'P-130': { verdict: 'confirmed', exchanges: [12, 24] },
  'P-138': { verdict: 'confirmed', exchanges: [1, 3, 4, 5, 6, 7, 8, 9, 10, 11] }
}

/** The verdicts under each shipped profile, by the id of the assumption. */
export const PUBLISHED: Readonly<Record<string, Readonly<Record<string, Published>>>> = {
  conventional: {
    ...ALIKE,
    'P-054': { verdict: 'contradicted', exchanges: [35] },
    'P-116': { verdict: 'contradicted', exchanges: [14] }
  },
  observed: {
    ...ALIKE,
    'P-054': { verdict: 'confirmed', exchanges: [35] },
    'P-116': { verdict: 'confirmed', exchanges: [2, 6, 14, 28, 34] }
  }
}
