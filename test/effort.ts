/** Whether this is the longest form, `npm run soak`, in which everything is tried. */
export const isSoak = process.env['SOAK'] === '1'

/** Whether this is `npm run test:all`, which is longer than `npm test`, or the soak, which is longer than both. */
export const isWhole = process.env['TEST_ALL'] === '1' || isSoak

/** Every fourth one, for `npm run test:all`; the soak tries all. */
export function someOf<T>(all: readonly T[]): readonly T[] {
  return isSoak ? all : all.filter((_, index) => index % 4 === 0)
}

/** How much to do: a part of it in `npm test`, and all of it in `npm run test:all`. */
export function effort(part: number, all: number): number {
  return isWhole ? all : part
}
