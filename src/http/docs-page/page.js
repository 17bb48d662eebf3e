/* global SwaggerUIBundle */

// All addresses are relative, so that the page works behind a proxy that adds a path.
const isControl = new URLSearchParams(location.search).has('control')
document.querySelector(`nav a[href="docs${isControl ? '?control' : ''}"]`).setAttribute('aria-current', 'page')

const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()

/** Without links inside of buttons, which screen readers cannot tell apart. An open operation still has an address. */
const withoutLinks = ({ React }) => ({
  components: { DeepLink: ({ text }) => React.createElement('span', null, text) }
})

/** Adds what Swagger UI lacks: labels, the order of headings, and scrolling by keyboard. */
function complete() {
  const all = (selector) => document.querySelectorAll(`#page ${selector}`)
  for (const select of all('select:not([aria-label])'))
    select.ariaLabel = select.matches('.examples-select-element') ? 'Example' : 'Content type'
  for (const button of all('.copy-to-clipboard button:not([aria-label])')) button.ariaLabel = 'Copy'
  for (const code of all('.microlight:not([tabindex])')) code.tabIndex = 0
  for (const heading of all(':is(h3, h4, h5):not([aria-level])')) heading.ariaLevel = heading.tagName[1] - 1
}
new MutationObserver(complete).observe(document.querySelector('#page'), { childList: true, subtree: true })

const ui = SwaggerUIBundle({
  dom_id: '#page',
  plugins: [withoutLinks],
  syntaxHighlight: { theme: 'obsidian' },
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
