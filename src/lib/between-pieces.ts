/**
 * How often the event loop looks for what has come between two pieces of work that take long. It accepts one connection each time: with
 * pieces of a tenth of a second and one look between them, newcomers would wait for a minute behind 500 others.
 */
const LOOKS = 16

/** Runs the next piece of work when the event loop has looked several times for what has come. Without anything, that costs next to nothing. */
export function afterLooking(run: () => void, looks = LOOKS): void {
  setImmediate(looks === 1 ? run : () => { afterLooking(run, looks - 1) })
}
