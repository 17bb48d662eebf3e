/** Whether this is `npm run test:all`, which is longer than `npm test`, or the soak, which is longer than both. */
export const isWhole = process.env['TEST_ALL'] === '1' || process.env['SOAK'] === '1'

/** How much to do: a part of it in `npm test`, and all of it in `npm run test:all`. */
export function effort(part: number, all: number): number {
  return isWhole ? all : part
}
