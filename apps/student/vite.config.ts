import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'

export default defineConfig({
  // Where the app is hosted is not known when it is built.
  base: './',
  plugins: [
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
  build: { target: 'es2023', sourcemap: false },
})
