import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startMock } from '../../src/node/index.js'
import { MAIN } from '../helper.js'
import { CLIENT, exampleFiles, lacksPytest, lacksPython, pytest, python } from './python.js'

const TOKEN = 'let-me-in'
const COMMAND = `'${process.execPath}' '${MAIN}'`

void t.test('the Python client passes its own tests', { skip: lacksPython }, async (t) => {
  await using mock = await startMock({ controlToken: TOKEN })
  const { isSuccess, output } = await python(CLIENT, ['-W', 'always', '-m', 'unittest', 'discover', '--verbose'], {
    SVC_MOCK_URL: mock.url,
    SVC_MOCK_TOKEN: TOKEN,
    SVC_MOCK_COMMAND: COMMAND
  })
  t.ok(isSuccess, output)
  t.match(output, /^Ran [1-9]\d* tests/m)
  t.notMatch(output, /skipped|Warning/, 'nothing is left open')
})

void t.test('the example of its README starts a server', { skip: lacksPython }, async (t) => {
  const project = t.testdir(exampleFiles())
  const { isSuccess, output } = await python(project, ['example.py'], { SVC_MOCK_COMMAND: COMMAND })
  t.ok(isSuccess, output)
})

const FAILING = `
import pytest


@pytest.mark.parametrize("name", ["one", "two"])
def test_that_passes(svc_mock_sandbox, name):
    svc_mock_sandbox.call("createWorkgroup", body={"cloud_provider_id": "a", "workgroup_name": name})


def test_that_fails(svc_mock_sandbox):
    with open("key.txt", "w") as file:
        file.write(svc_mock_sandbox.key)
    svc_mock_sandbox.seed({"workgroups": [{"id": "main", "workspaces": [{"id": "writer"}]}]})
    svc_mock_sandbox.call("getWorkgroup", workgroup_id="main")
    svc_mock_sandbox.verify("pauseWorkspace")
`

void t.test(
  'its plugin gives each test a sandbox, removes it, and shows the sandbox of a failed test without its key',
  { skip: lacksPytest },
  async (t) => {
    await using mock = await startMock({ controlToken: TOKEN })
    const project = t.testdir({ ...exampleFiles(), 'test_that_fails.py': FAILING })
    const env = { SVC_MOCK_URL: mock.url, SVC_MOCK_TOKEN: TOKEN }
    const { isSuccess, output } = await pytest(project, env, '-W', 'error', '--showlocals')
    t.notOk(isSuccess, 'it ends with the failure')
    t.match(output, /1 failed, 3 passed/)
    t.match(output, /^test_that_fails\.py:15: VerificationError$/m, 'the failure is at the line of the test')
    t.match(output, /^-+ svc-mock sandbox -+$/m)
    t.match(output, /^workspace writer: Active$/m)
    t.match(output, /^\S+ GET \S+\/workgroups\/main 200$/m)
    t.match(output, /^=+ svc-mock findings =+$/m)
    t.match(
      output,
      /^ignored-input: createWorkgroup ignores .* \(test_that_fails\.py::test_that_passes\[one\] and 1 more\)$/m
    )
    t.notOk(output.includes(readFileSync(join(project, 'key.txt'), 'utf8')), 'no key')
    t.notOk(output.includes(TOKEN), 'no token')
    t.equal((await mock.sandboxes.list()).total, 0)
  }
)

void t.test('its plugin says what to do if there is no server', { skip: lacksPytest }, async (t) => {
  const env = { SVC_MOCK_COMMAND: 'svc-mock-that-is-not-there' }
  const { isSuccess, output } = await pytest(t.testdir(exampleFiles()), env)
  t.notOk(isSuccess)
  t.match(output, /StartError: .*svc-mock-that-is-not-there.*SVC_MOCK_COMMAND.*SVC_MOCK_URL/)
})
