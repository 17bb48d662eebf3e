import { defineConfig } from 'vite'

export default defineConfig({
  // The page finds its assets wherever a proxy has mounted it.
  base: './',
  build: {
    outDir: '../../dist/console',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // What is built in goes out with the package, so its licence goes with it.
    license: { fileName: 'licenses.md' }
  },
  // For work on the console: it is served by Vite, and the API by a server beside it.
  server: {
    proxy: {
      '^/(_mock|controller)/.*': { target: 'http://127.0.0.1:4700', headers: { origin: 'http://127.0.0.1:4700' } }
    }
  }
})
