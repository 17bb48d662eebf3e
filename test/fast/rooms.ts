import { readdirSync } from 'node:fs'

// `npm run test:fast`: the tests of units and behaviour, in one process for several rooms, which loads the sources only
// once. Tests that start processes or need the build are left to `npm test`, and so are these, which do a great deal.
const LEFT_OUT = new Set([
  'http/brand',
  'http/full-database',
  'http/unread-replies',
  'http/wire',
  'resources/schedule-zones',
  'resources/users',
  'sandboxes/registry',
  'test-control/clock',
  'test-control/console-page'
])

/** Runs the tests of some rooms. */
export async function runRooms(...rooms: readonly string[]): Promise<void> {
  for (const room of rooms) {
    for (const file of readdirSync(new URL(`../${room}/`, import.meta.url)).sort()) {
      const [name, ending] = file.split('.test')
      if (ending === '.ts' && !LEFT_OUT.has(`${room}/${name!}`)) await import(`../${room}/${file}`)
    }
  }
}
