import type { ComponentChildren, FunctionComponent } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks'
import { groupBy } from '../lib/group-by'
import { messageOf } from './api/client'
import { PastModel } from './model/past'
import { atStep, linkTo, readRoute, type Route } from './model/route'
import type { SandboxModel } from './model/sandbox'
import { type App, AppContext, Guard } from './parts/app-context'
import { Button, Dialog, Facts } from './parts/blocks'
import { type Notice, Notices, type NoticeState } from './parts/notices'
import { useModel } from './parts/use'
import { KEYS, useKeys } from './parts/use-keys'
import { Answer } from './views/answer'

/** A view: the section of the rail that it belongs to, its name in URLs, its title, and its component */
export type View = readonly [section: string, name: string, title: string, view: FunctionComponent<Route>]

interface Question {
  readonly title: string
  readonly text: string
  readonly verb: string
  readonly answer: (isYes: boolean) => void
}

/** Views that remain useful while the server is away. They disable their actions themselves. */
const READABLE: ReadonlySet<string> = new Set(['overview', 'timeline', 'requests'])

interface Props {
  readonly model: SandboxModel
  readonly views: readonly View[]
  readonly notices: NoticeState
  readonly openKey: (key: string) => void
  /** In the header, beside the name. */
  readonly head: ComponentChildren
  /** For the title of the page. */
  readonly subject?: string | undefined
  /** A control beside the tabs of a section. */
  readonly tool?: readonly [section: string, tool: ComponentChildren]
  /** Above the view, in place of the {@link Answer}. */
  readonly stepper?: ComponentChildren
}

/** The frame around a view of a sandbox: header, rail, tabs, messages and dialogs. */
export function Frame({ model, views, notices, openKey, head, subject, tool, stepper }: Props) {
  useModel(model)
  const past = model instanceof PastModel ? model : undefined
  const [notice, setNotice] = notices
  const [question, setQuestion] = useState<Question>()
  const [areKeysOpen, closeKeys] = useKeys()
  const route = useRoute(past)
  const app = useMemo(
    (): App => ({
      model,
      past,
      attempt: async (action) => {
        let outcome: Pick<Notice, 'message' | 'undo' | 'error'>
        try {
          const done = await action()
          outcome = typeof done === 'string' ? { message: done } : done
        } catch (error) {
          outcome = { message: messageOf(error), error }
        }
        setNotice({ ...outcome, at: performance.now() })
        return outcome.error === undefined
      },
      confirm: (title, text, verb) =>
        new Promise((resolve) => {
          const answer = (isYes: boolean) => {
            setQuestion(undefined)
            resolve(isYes)
          }
          setQuestion({ title, text, verb, answer })
        }),
      openKey
    }),
    [model, past]
  )
  const [section, name, title, View] = views.find(([, id]) => id === route.view) ?? views[0]!
  const sections = groupBy(views, ([of]) => of)
  const tabs = sections.get(section)!
  useEffect(() => {
    document.title = [title, subject, 'svc-mock'].filter(Boolean).join(' – ')
  }, [title, subject])
  return (
    <AppContext.Provider value={app}>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault()
          document.getElementById('main')?.focus()
        }}
      >
        Skip to content
      </a>
      <header class={past === undefined ? 'top' : 'top top-past'}>
        <h1>
          svc-mock <span class="org quiet">{model.orgName}</span>
        </h1>
        {head}
      </header>
      <div class="body">
        <nav class="rail" aria-label="Sections">
          {[...sections].map(([label, [first]]) => (
            <a key={label} href={linkTo(first![1])} aria-current={label === section ? 'true' : undefined}>
              {label}
            </a>
          ))}
        </nav>
        <div class="content">
          {tabs.length === 1 ? null : (
            <nav class="tabs" aria-label={section}>
              {tabs.map(([, id, label]) => (
                <a key={id} href={linkTo(id)} aria-current={id === name ? 'page' : undefined}>
                  {label}
                </a>
              ))}
              {tool?.[0] === section ? tool[1] : null}
            </nav>
          )}
          {stepper ?? (model.about === undefined ? null : <Answer section={section} />)}
          {model.link === 'lost' ? (
            <p class="bar away" role="alert">
              The server does not respond.{' '}
              {model.about === undefined
                ? 'The sandbox appears as soon as it is back.'
                : 'You see the last known state, and can change nothing until it is back.'}
            </p>
          ) : null}
          <Guard isOn={!model.isPast && !READABLE.has(name)}>
            <main id="main" tabIndex={-1} class={`view view-${name}`} aria-label={title}>
              {model.about === undefined ? <p class="quiet empty">Reading the sandbox…</p> : <View {...route} />}
            </main>
          </Guard>
        </div>
      </div>
      <Notices notice={notice} onGone={() => setNotice(undefined)} />
      {areKeysOpen ? (
        <Dialog title="Keyboard shortcuts" onClose={closeKeys}>
          <Facts facts={KEYS.map(([key, meaning]) => [<kbd>{key}</kbd>, meaning])} />
        </Dialog>
      ) : null}
      {question === undefined ? null : (
        <Dialog title={question.title} onClose={() => question.answer(false)}>
          <p>{question.text}</p>
          <div class="buttons">
            <Button text={question.verb} class="danger" onClick={() => question.answer(true)} />
            <Button text="Cancel" onClick={() => question.answer(false)} />
          </div>
        </Dialog>
      )}
    </AppContext.Provider>
  )
}

/** Delay before the URL names a step, in milliseconds, as browsers limit the rate of changes. */
const NAMING_MS = 100

/** The place that the URL names. In the past, the URL also names the step. */
function useRoute(past: PastModel | undefined): Route {
  const [route, setRoute] = useState(() => readRoute(location.hash))
  useLayoutEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const nameStep = () => {
      const hash = atStep(location.hash, past?.shown.step)
      if (hash !== location.hash && (past !== undefined || location.hash !== '')) history.replaceState(null, '', hash)
    }
    const update = () => {
      clearTimeout(timer)
      const { step } = readRoute(location.hash)
      if (step !== undefined) past?.goToStop(past.recorded.stopOf(step))
      nameStep()
      setRoute(readRoute(location.hash))
    }
    const forget = past?.subscribe(() => {
      clearTimeout(timer)
      timer = setTimeout(nameStep, NAMING_MS)
    })
    update()
    // Unlike `hashchange`, it fires at once, before the timer could name the wrong step.
    addEventListener('popstate', update)
    return () => {
      clearTimeout(timer)
      removeEventListener('popstate', update)
      forget?.()
    }
  }, [past])
  return route
}
