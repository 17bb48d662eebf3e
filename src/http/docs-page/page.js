/* global SwaggerUIBundle */

// All addresses are relative, so that the page works behind a proxy that adds a path.
const isControl = new URLSearchParams(location.search).has('control')
document.querySelector(`nav a[href="docs${isControl ? '?control' : ''}"]`).setAttribute('aria-current', 'page')

const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()

const ui = SwaggerUIBundle({
  dom_id: '#page',
  url: isControl ? '_mock/openapi.json' : 'openapi.json',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  onComplete: () => queueMicrotask(fillInKey)
})

/** Fills in a key, because `--auth any` accepts any key. Keeps a key that the reader has entered. */
function fillInKey() {
  for (const name of ['apiKey', 'session'])
    if (ui.authSelectors.authorized().get(name) === undefined) ui.preauthorizeApiKey(name, 'demo')
}
