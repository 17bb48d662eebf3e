import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Access } from './api/client'
import { readRoute } from './model/route'
import { SandboxModel } from './model/sandbox'
import { readSettings, rememberKey, storeAccess, storedAccess, usedKeys } from './model/session'
import { type App as AppParts, AppContext, type Question } from './parts/app-context'
import { Away } from './parts/away'
import { ClockBar } from './parts/clock-bar'
import { Dialog } from './parts/dialog'
import { Guard } from './parts/guard'
import { failure, type Notice, Notices, success } from './parts/notices'
import { useModel } from './parts/use'
import { Connect } from './views/connect'
import { CoverageView } from './views/coverage'
import { FaultsView } from './views/faults'
import { OverviewView } from './views/overview'
import { ReportView } from './views/report'
import { RequestsView } from './views/requests'
import { RulesView } from './views/rules'
import { StateView } from './views/state'
import { TimelineView } from './views/timeline'
import { VerificationView } from './views/verification'

const VIEWS = [
  ['overview', 'Overview', OverviewView],
  ['timeline', 'Timeline', TimelineView],
  ['requests', 'Requests', RequestsView],
  ['verification', 'Verification', VerificationView],
  ['report', 'Report', ReportView],
  ['rules', 'Clock and rules', RulesView],
  ['faults', 'Faults', FaultsView],
  ['state', 'State', StateView],
  ['coverage', 'Coverage', CoverageView]
] as const

/** Views that are of use while the server is away. They disable their actions themselves. */
const READABLE: ReadonlySet<string> = new Set(['overview', 'timeline', 'requests'])

const settings = readSettings()

/** The console: asks for a key, then shows its sandbox. */
export function App() {
  const [access, setAccess] = useState<Access | undefined>(
    () => storedAccess() ?? (settings.auth === 'off' && !settings.wantsToken ? { key: '', token: '' } : undefined)
  )
  const [problem, setProblem] = useState<string>()
  const open = useCallback((next: Access) => {
    storeAccess(next)
    setProblem(undefined)
    setAccess(next)
  }, [])
  const leave = useCallback((reason: string | undefined) => {
    storeAccess(undefined)
    setProblem(reason)
    setAccess(undefined)
  }, [])
  const lastAccess = useRef(access)
  if (access !== undefined) lastAccess.current = access
  if (access === undefined)
    return <Connect settings={settings} before={lastAccess.current} problem={problem} onOpen={open} />
  return <Sandbox key={`${access.key} ${access.token}`} access={access} onOpen={open} onLeave={leave} />
}

/** Shows one sandbox. */
function Sandbox({
  access,
  onOpen,
  onLeave
}: {
  access: Access
  onOpen: (access: Access) => void
  onLeave: (reason: string | undefined) => void
}) {
  const model = useMemo(() => new SandboxModel(access), [access])
  useEffect(() => {
    model.open()
    return () => {
      model.close()
    }
  }, [model])
  useModel(model)
  const [notice, setNotice] = useState<Notice>()
  const [question, setQuestion] = useState<Question & { answer: (isYes: boolean) => void }>()
  const { view, part, of } = useRoute()

  // A key that the server refuses is not worth offering again.
  useEffect(() => {
    if (model.isLoaded) rememberKey(access.key)
  }, [model.isLoaded])

  const parts = useMemo(
    (): AppParts => ({
      model,
      attempt: async (action) => {
        try {
          setNotice(success(await action(), model))
          return true
        } catch (error) {
          setNotice(failure(error, model))
          return false
        }
      },
      confirm: (asked) =>
        new Promise((resolve) => {
          setQuestion({
            ...asked,
            answer: (isYes) => {
              setQuestion(undefined)
              resolve(isYes)
            }
          })
        }),
      openKey: (key) => {
        onOpen({ ...access, key })
      }
    }),
    [model]
  )

  if (model.refusal !== undefined) return <Refused message={model.refusal.message} onLeave={onLeave} />
  const [name, title, View] = VIEWS.find(([id]) => id === view) ?? VIEWS[0]
  return (
    <AppContext.Provider value={parts}>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault()
          document.getElementById('main')?.focus()
        }}
      >
        Skip to the content
      </a>
      <header class="top">
        <h1>
          svc-mock <span class="org">{model.orgName}</span>
        </h1>
        <Guard>
          <ClockBar />
        </Guard>
        <Switch access={access} onOpen={onOpen} onLeave={onLeave} link={model.link} />
      </header>
      <nav class="tabs" aria-label="Views">
        {VIEWS.map(([id, label]) => (
          <a key={id} href={`#/${id}`} aria-current={id === name ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </nav>
      <Away />
      <Guard isOn={!READABLE.has(name)}>
        <main id="main" tabIndex={-1} class={`view view-${name}`} aria-label={title}>
          {model.isLoaded ? <View part={part} of={of} /> : <p class="quiet empty">Reading the sandbox…</p>}
        </main>
      </Guard>
      <Notices
        notice={notice}
        onGone={() => {
          setNotice(undefined)
        }}
      />
      {question === undefined ? null : (
        <Dialog
          title={question.title}
          onClose={() => {
            question.answer(false)
          }}
        >
          <p>{question.text}</p>
          <div class="buttons">
            <button
              type="button"
              class="danger"
              onClick={() => {
                question.answer(true)
              }}
            >
              {question.verb}
            </button>
            <button
              type="button"
              onClick={() => {
                question.answer(false)
              }}
            >
              Cancel
            </button>
          </div>
        </Dialog>
      )}
    </AppContext.Provider>
  )
}

function Refused({ message, onLeave }: { message: string; onLeave: (reason: string) => void }) {
  useEffect(() => {
    onLeave(message)
  }, [message])
  return null
}

const LINKS = { connecting: 'connecting', live: 'live', lost: 'no connection' } as const

/** Names the sandbox, and opens another one. */
function Switch({
  access,
  onOpen,
  onLeave,
  link
}: {
  access: Access
  onOpen: (access: Access) => void
  onLeave: (reason: undefined) => void
  link: keyof typeof LINKS
}) {
  const [key, setKey] = useState(access.key)
  const others = usedKeys()
  return (
    <div class="switch">
      <span class={`link link-${link}`} role="status">
        {LINKS[link]}
      </span>
      {settings.auth === 'off' ? null : (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            if (key.trim() !== '') onOpen({ ...access, key: key.trim() })
          }}
        >
          <label>
            <span>Sandbox</span>
            <input
              list="keys"
              value={key}
              pattern="[!-~]+"
              required
              autocomplete="off"
              spellcheck={false}
              aria-label="API key of the sandbox"
              onInput={({ currentTarget }) => {
                setKey(currentTarget.value)
              }}
            />
          </label>
          <datalist id="keys">
            {others.map((other) => (
              <option key={other} value={other} />
            ))}
          </datalist>
          <button type="submit" disabled={key.trim() === access.key}>
            Open
          </button>
        </form>
      )}
      <button
        type="button"
        onClick={() => {
          onLeave(undefined)
        }}
      >
        Leave
      </button>
    </div>
  )
}

/** The place that the URL names. */
function useRoute(): ReturnType<typeof readRoute> {
  const [route, setRoute] = useState(() => readRoute(location.hash))
  useEffect(() => {
    const update = () => {
      setRoute(readRoute(location.hash))
    }
    addEventListener('hashchange', update)
    return () => {
      removeEventListener('hashchange', update)
    }
  }, [])
  return route
}
