import t from 'tap'
import { fileProblem } from '../../src/lib/file-problem.js'

void t.test('a common problem with a file is described in words, another by its code or its message', async (t) => {
  for (const [code, done, problem] of [
    ['ENOENT', 'read', /^does not exist$/],
    ['ENOENT', 'written', /written: .*directory/],
    ['EISDIR', 'read', /^is a directory/],
    ['EISDIR', 'written', /^is a directory/],
    ['EACCES', 'read', /read: permission/],
    ['EACCES', 'written', /written: permission/],
    ['EIO', 'read', /read \(EIO\)/],
    [undefined, 'written', /written \(the message\)/]
  ] as const)
    t.match(fileProblem(Object.assign(new Error('the message'), { code }), done), problem)
})
