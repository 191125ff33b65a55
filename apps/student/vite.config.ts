import { parse } from '@formatjs/icu-messageformat-parser'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'

const PARSER = '@formatjs/icu-messageformat-parser'

/** Messages with arguments are parsed when the app is built: it ships without the parser. */
const parsedMessages: Plugin = {
  name: 'parsed-messages',
  enforce: 'pre',
  transform(text, id) {
    if (!/\/catalogs\/\w+\.json$/.test(id)) return null
    return JSON.stringify(
      JSON.parse(text, (_, message) => (/[{<']/.test(message) ? parse(message) : message)),
    )
  },
}

export default defineConfig({
  // Where the app is hosted is not known when it is built.
  base: './',
  plugins: [
    parsedMessages,
    react(),
    VitePWA({
      // The app alone is kept on the device, all of it: no answer of the service ever is. A new version waits until no tab has the old one.
      workbox: { globPatterns: ['**/*.{js,css,html,svg,png,webmanifest}'], inlineWorkboxRuntime: true },
      injectRegister: 'script-defer',
      // A file of public/.
      manifest: false,
    }),
  ],
  resolve: { alias: [{ find: new RegExp(`^${PARSER}$`), replacement: `${PARSER}/no-parser.js` }] },
  build: { target: 'es2023', license: { fileName: 'licenses.md' } },
})
