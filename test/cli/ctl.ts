import type { Test } from 'tap'
import { callCommand } from '../../src/cli/commands.js'
import { ctlCommand } from '../../src/cli/ctl.js'
import { hasFlag } from '../../src/cli/usage.js'
import { type Mock, type Options, startMock } from '../../src/node/index.js'
import { type Body, captured, type Outcome } from '../helper.js'

/** By default an empty environment, and no terminal. */
type Surroundings = NonNullable<Parameters<typeof ctlCommand>[1]>

export function ctl(t: Test, args: readonly string[], surroundings: Surroundings = {}): Promise<Outcome> {
  return captured(t, () =>
    hasFlag(args, '-h', '--help')
      ? callCommand('ctl', [...args])
      : ctlCommand(args, { env: {}, isTerminal: false, ...surroundings })
  )
}

/** A server, and functions that control a sandbox; `result` parses the output of a command that must succeed. */
export async function openCtl(t: Test, options: Partial<Options> = {}) {
  const mock: Mock = await startMock(options)
  t.teardown(() => mock.close())
  const target = ['--url', mock.url, ...(options.auth === 'off' ? [] : ['--key', 'ctl'])]
  const run = (...args: string[]) => ctl(t, [...args, ...target])
  const onTerminal = (...args: string[]) => ctl(t, [...args, ...target], { isTerminal: true, columns: 200 })
  const result = async (...args: string[]): Promise<Body> => {
    const { code, out, errors } = await run(...args)
    if (code !== 0) throw new Error(`${args.join(' ')}: ${code} ${errors}`)
    return JSON.parse(out)
  }
  return { mock, run, result, onTerminal }
}
