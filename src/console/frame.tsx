import { type ComponentChildren, Fragment, type FunctionComponent } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks'
import type { PastModel } from './model/past'
import { atStep, readRoute, type Route } from './model/route'
import type { SandboxModel } from './model/sandbox'
import { type App as AppParts, AppContext, type Question } from './parts/app-context'
import { Away } from './parts/away'
import { Dialog } from './parts/dialog'
import { Guard } from './parts/guard'
import { failure, type Notice, Notices, success } from './parts/notices'
import { useModel } from './parts/use'
import { KEYS, useKeys } from './parts/use-keys'

/** A view, by the name that URLs have for it. */
export type View = readonly [name: string, title: string, view: FunctionComponent<Route>]

/** Views of one subject, which the rail names. */
export type Section = readonly [title: string, views: readonly View[]]

/** Views that are of use while the server is away. They disable their actions themselves. */
const READABLE: ReadonlySet<string> = new Set(['overview', 'timeline', 'requests'])

interface Props {
  readonly model: SandboxModel
  /** The same, if it shows a recording. */
  readonly past?: PastModel | undefined
  readonly sections: readonly Section[]
  readonly openKey: (key: string) => void
  /** Beside the name of the sandbox. */
  readonly head: ComponentChildren
  /** What it is of, for the title of the page. */
  readonly subject?: string | undefined
  /** What a section has beside its views. */
  readonly tool?: readonly [section: string, (parts: AppParts) => ComponentChildren] | undefined
  /** Above what the views show. */
  readonly stepper?: ((parts: AppParts) => ComponentChildren) | undefined
}

/** Shows a sandbox: its name, its sections, and one view. */
export function Frame({ model, past, sections, openKey, head, subject, tool, stepper }: Props) {
  useModel(model)
  const [notice, setNotice] = useState<Notice>()
  const [question, setQuestion] = useState<Question & { answer: (isYes: boolean) => void }>()
  const [areKeysAsked, closeKeys] = useKeys()
  const route = useRoute(past)
  const parts = useMemo(
    (): AppParts => ({
      model,
      past,
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
      openKey
    }),
    [model, past]
  )
  const section = sections.find(([, views]) => views.some(([id]) => id === route.view)) ?? sections[0]!
  const [, views] = section
  const [name, title, View] = views.find(([id]) => id === route.view) ?? views[0]!
  useEffect(() => {
    document.title = [title, subject, 'svc-mock'].filter(Boolean).join(' – ')
  }, [title, subject])
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
      <header class={past === undefined ? 'top' : 'top top-past'}>
        <h1>
          svc-mock <span class="org">{model.orgName}</span>
        </h1>
        {head}
      </header>
      <div class="body">
        <nav class="rail" aria-label="Sections">
          {sections.map(([label, [first]]) => (
            <a key={label} href={`#/${first![0]}`} aria-current={label === section[0] ? 'true' : undefined}>
              {label}
            </a>
          ))}
        </nav>
        <div class="content">
          {views.length === 1 ? null : (
            <nav class="tabs" aria-label={section[0]}>
              {views.map(([id, label]) => (
                <a key={id} href={`#/${id}`} aria-current={id === name ? 'page' : undefined}>
                  {label}
                </a>
              ))}
              {tool?.[0] === section[0] ? tool[1](parts) : null}
            </nav>
          )}
          {stepper?.(parts)}
          <Away />
          <Guard isOn={!model.isPast && !READABLE.has(name)}>
            <main id="main" tabIndex={-1} class={`view view-${name} ${model.isPast ? 'past' : ''}`} aria-label={title}>
              {model.isLoaded ? <View {...route} /> : <p class="quiet empty">Reading the sandbox…</p>}
            </main>
          </Guard>
        </div>
      </div>
      <Notices notice={notice} onGone={() => setNotice(undefined)} />
      {areKeysAsked ? (
        <Dialog title="Keys" onClose={closeKeys}>
          <dl class="facts">
            {KEYS.map(([key, meaning]) => (
              <Fragment key={key}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{meaning}</dd>
              </Fragment>
            ))}
          </dl>
        </Dialog>
      ) : null}
      {question === undefined ? null : (
        <Dialog title={question.title} onClose={() => question.answer(false)}>
          <p>{question.text}</p>
          <div class="buttons">
            <button type="button" class="danger" onClick={() => question.answer(true)}>
              {question.verb}
            </button>
            <button type="button" onClick={() => question.answer(false)}>
              Cancel
            </button>
          </div>
        </Dialog>
      )}
    </AppContext.Provider>
  )
}

/** How long the URL is left as it is after a step, in milliseconds: browsers refuse to change it all the time. */
const NAMING_MS = 100

/** The place that the URL names. In a recording, each place is one at a step, which the URL names, too. */
function useRoute(past: PastModel | undefined): Route {
  const [route, setRoute] = useState(() => readRoute(location.hash))
  // Not after it is painted: a place that can be seen can be reloaded, and its address be copied.
  useLayoutEffect(() => {
    let shown = location.hash
    const nameStep = () => {
      const hash = atStep(location.hash, past?.step)
      if (hash !== location.hash && (past !== undefined || location.hash !== '')) history.replaceState(null, '', hash)
      shown = location.hash
    }
    const update = () => {
      const { step } = readRoute(location.hash)
      if (past !== undefined && step !== undefined && step !== past.step) past.goTo(step)
      nameStep()
      setRoute(readRoute(location.hash))
    }
    let timer: ReturnType<typeof setTimeout> | undefined
    const follow = () => {
      // Otherwise the reader has gone elsewhere, maybe back, and that place names its own step.
      if (location.hash === shown) nameStep()
    }
    const followSteps = () => {
      if (timer === undefined) follow()
      clearTimeout(timer)
      timer = setTimeout(() => {
        timer = undefined
        follow()
      }, NAMING_MS)
    }
    update()
    addEventListener('hashchange', update)
    const forget = past?.subscribe(followSteps)
    return () => {
      clearTimeout(timer)
      removeEventListener('hashchange', update)
      forget?.()
    }
  }, [past])
  return route
}
