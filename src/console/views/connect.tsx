import { useState } from 'preact/hooks'
import type { Access } from '../api/client'
import { type Settings, usedKeys } from '../model/session'
import { Form } from '../parts/blocks'
import { Field } from '../parts/fields'

interface Props {
  readonly settings: Settings
  readonly before: Access | undefined
  readonly problem: string | undefined
  readonly onOpen: (access: Access) => void
}

export function Connect({ settings, before, problem, onOpen }: Props) {
  const [key, setKey] = useState(before?.key ?? (settings.auth === 'strict' ? '' : 'demo'))
  const [token, setToken] = useState(before?.token ?? '')
  return (
    <main class="connect">
      <Form onSubmit={() => onOpen({ key, token: token.trim() })}>
        <h1>svc-mock console</h1>
        {problem === undefined ? null : (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        {settings.auth === 'off' ? null : (
          <Field
            label="API key of the sandbox"
            value={key}
            onChange={setKey}
            list="keys"
            required
            pattern="[!-~]+"
            hint={
              settings.auth === 'strict'
                ? 'One of the keys that the server was started with.'
                : 'The key that your client uses. Each key has its own sandbox; a new key creates one.'
            }
          />
        )}
        {settings.wantsToken ? (
          <Field
            label="Control token"
            value={token}
            onChange={setToken}
            type="password"
            required
            pattern="\s*[!-~]+\s*"
            hint="The --control-token of the server."
          />
        ) : null}
        <datalist id="keys">
          {usedKeys().map((other) => (
            <option key={other} value={other} />
          ))}
        </datalist>
        <button type="submit" class="primary">
          Open
        </button>
        <p class="quiet">Credentials stay in this tab.</p>
      </Form>
    </main>
  )
}
