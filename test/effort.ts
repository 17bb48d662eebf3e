const isSoak = process.env['SOAK'] === '1'

/** Whether this is `npm run test:all`, which is longer than `npm test`, or the soak, which is longer than both. */
export const isWhole = process.env['TEST_ALL'] === '1' || isSoak

/** Every second one of those that are tried by `npm run test:all`; the soak tries all. */
export function halfOf<T>(all: readonly T[]): readonly T[] {
  return isSoak ? all : all.filter((_, index) => index % 2 === 0)
}

/** How much to do: a part of it in `npm test`, and all of it in `npm run test:all`. */
export function effort(part: number, all: number): number {
  return isWhole ? all : part
}
