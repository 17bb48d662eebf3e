import { executionAsyncResource } from 'node:async_hooks'

let kept: object | undefined

/**
 * Keeps one of the objects by which `process.nextTick()` queues its callbacks. V8 forgets the shape of objects of which
 * none is left when it collects garbage, as it does soon after a start; from then on each tick would cost four times as
 * much, and a request has nine of them.
 */
export function keepTicksFast(): void {
  process.nextTick(() => {
    kept ??= executionAsyncResource()
  })
}
