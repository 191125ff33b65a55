import { parse } from '@formatjs/icu-messageformat-parser'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'

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
      workbox: { globPatterns: ['**/*.{js,css,html,svg,png}'], inlineWorkboxRuntime: true },
      registerType: 'prompt',
      injectRegister: 'script-defer',
      manifest: {
        name: 'Student wellbeing',
        short_name: 'Wellbeing',
        start_url: './',
        display: 'standalone',
        theme_color: '#1d5f5a',
        background_color: '#f6f8f7',
        icons: [{ src: './icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' }],
      },
    }),
  ],
  resolve: {
    alias: [
      {
        find: /^@formatjs\/icu-messageformat-parser$/,
        replacement: '@formatjs/icu-messageformat-parser/no-parser.js',
      },
    ],
  },
  build: { target: 'es2023', sourcemap: false },
})
