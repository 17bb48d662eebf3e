import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { MAIN } from '../helper.js'
import { temporaryFolder } from '../temporary.js'
import { lacking, ROOT, run } from './tools.js'

// The Python client, installed by pip as a plugin that pytest finds by itself.

const TESTS = `
import pytest

@pytest.mark.parametrize("number", range(4))
def test_a_sandbox_of_its_own(svc_mock_sandbox, number):
    svc_mock_sandbox.call("createWorkgroup", body={"name": f"team-{number}", "cloud_provider_id": "any"})
    assert [group["name"] for group in svc_mock_sandbox.call("listWorkgroups")] == [f"team-{number}"]
`

const PYTHON = '/usr/bin/python3'
const module = (name: string) => `../lib/python3/dist-packages/${name}`
const skip = lacking({
  python3: 'python3',
  [module('pip')]: 'python3-pip',
  [module('xdist')]: 'python3-pytest-xdist'
})

void t.test('the plugin of pytest, by itself and with several processes', { skip, timeout: 600_000 }, async (t) => {
  const work = temporaryFolder(t)
  // Building leaves files next to the sources.
  cpSync(join(ROOT, 'clients/python'), join(work, 'client'), { recursive: true })
  await run(PYTHON, ['-m', 'pip', 'install', '--target', 'installed', './client'], { cwd: work, minutes: 2 })
  t.ok(existsSync(join(work, 'installed/svc_mock/py.typed')), 'type checkers read its hints')
  const project = join(work, 'project')
  mkdirSync(project)
  writeFileSync(join(project, 'test_sandboxes.py'), TESTS)
  const env = { SVC_MOCK_COMMAND: `${process.execPath} ${MAIN}`, PYTHONPATH: join(work, 'installed') }
  const pytest = (...args: string[]) => run(PYTHON, ['-m', 'pytest', ...args], { cwd: project, env, minutes: 2 })
  for (const workers of ['0', '2']) t.match(await pytest('-n', workers), /4 passed/, `${workers} workers`)
  writeFileSync(join(project, 'conftest.py'), 'pytest_plugins = ["svc_mock"]\n')
  t.match(await pytest(), /4 passed/, 'named as well')
})
