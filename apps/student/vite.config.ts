import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { messages } from '../ui/messages.ts'

export default defineConfig({
  // Where the app is hosted is not known when it is built.
  base: './',
  plugins: [
    messages,
    react(),
    VitePWA({
      // The app alone is kept on the device, all of it: no answer of the service ever is. A new version waits until no tab has the old one.
      workbox: { globPatterns: ['**/*.{js,css,html,svg,png,webmanifest}'], inlineWorkboxRuntime: true },
      injectRegister: 'script-defer',
      // A file of public/.
      manifest: false,
    }),
  ],
  build: { target: 'es2023', license: { fileName: 'licenses.md' } },
})
