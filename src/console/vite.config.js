import { defineConfig } from 'vite'

export default defineConfig({
  // Relative, so that the page finds its assets below any path of a proxy.
  base: './',
  build: {
    outDir: '../../dist/console',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // The package contains the bundled code, so it must contain its licence.
    license: { fileName: 'licenses.md' }
  },
  // During development, Vite serves the console, and a server beside it the API.
  server: {
    proxy: {
      '^/(_mock|controller)/.*': { target: 'http://127.0.0.1:4700', headers: { origin: 'http://127.0.0.1:4700' } }
    }
  }
})
