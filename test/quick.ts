import t from 'tap'
import { FILES, groupOf } from './groups.js'

// Runs the quick tests of some folders in one process: see test/fast.js.

const rooms = (process.env['ROOMS'] ?? '').split(',')
const files = FILES.filter((file) => rooms.includes(file.split('/')[0]!) && groupOf(file)?.startsWith('fast-') === true)

const skip = files.length === 0 && `no quick tests in ${rooms.join()}; npm test runs the others`

void t.test(`${files.length} files can be loaded`, { skip }, async () => {
  for (const file of files) await import(`./${file}.test.ts`)
})
