/** Whether this is `npm run soak`, which tries everything. */
export const isSoak = process.env['SOAK'] === '1'

/** Whether this is `npm run test:all` or the soak. */
export const isWhole = process.env['TEST_ALL'] === '1' || isSoak

/** Every fourth item; the soak tries all. */
export function someOf<T>(all: readonly T[]): readonly T[] {
  return isSoak ? all : all.filter((_, index) => index % 4 === 0)
}

/** How much to do in `npm test`, and in `npm run test:all`. */
export function effort(part: number, all: number): number {
  return isWhole ? all : part
}

/** How much to do in `npm test` and `npm run test:all`, and in the soak. */
export function scaled(short: number, long: number): number {
  return isSoak ? long : short
}

/** The seed of everything random in a run; SEED=<n> repeats it. */
export const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 1e9))
