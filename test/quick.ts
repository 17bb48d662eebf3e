import t from 'tap'
import { FILES, groupOf } from './groups.js'

// Runs the quick tests of some folders, or of all, in one process: see test/fast.js.

/** Folders outside the groups fast-* whose tests are quick, too, and need no build. */
const ALSO = ['documents', 'explore', 'recording', 'run']

const rooms = process.env['ROOMS']?.split(',')
const folderOf = (file: string) => file.split('/')[0]!
const isQuick = (file: string) => {
  const group = groupOf(file)
  return (
    group?.startsWith('fast-') === true || (rooms !== undefined && group !== undefined && ALSO.includes(folderOf(file)))
  )
}
const files = FILES.filter((file) => isQuick(file) && rooms?.includes(folderOf(file)) !== false)
const others = rooms?.filter((room) => !files.some((file) => folderOf(file) === room)) ?? []

if (others.length > 0) t.comment(`No quick tests: ${others.join(', ')}. npm test has them.`)
if (files.length > 0)
  void t.test(`${files.length} files can be loaded`, async () => {
    for (const file of files) await import(`./${file}.test.ts`)
  })
