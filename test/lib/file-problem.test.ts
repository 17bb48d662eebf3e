import t from 'tap'
import { fileProblem } from '../../src/lib/file-problem.js'

const error = (code?: string) => Object.assign(new Error('the message'), { code })

void t.test('common problems with a file are described in words, not by their codes', async (t) => {
  const problems = (['read', 'written'] as const).map((done) => fileProblem(error('ENOENT'), done))
  t.match(problems, [/not exist/, /directory/])
  t.notMatch(problems[0], /directory/, 'the file is missing')
  for (const done of ['read', 'written'] as const) {
    t.match(fileProblem(error('EISDIR'), done), /directory/)
    t.match(fileProblem(error('EACCES'), done), new RegExp(`${done}: permission`))
    for (const code of ['ENOENT', 'EISDIR', 'EACCES']) t.notMatch(fileProblem(error(code), done), code)
  }
})

void t.test('another problem is described by its code, or by its message if it has none', async (t) => {
  t.match(fileProblem(error('EIO'), 'read'), /read \(EIO\)/)
  t.match(fileProblem(error(), 'written'), /written \(the message\)/)
})
