import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  // Where the app is hosted is not known when it is built.
  base: './',
  plugins: [react()],
  build: { target: 'es2022', sourcemap: false },
})
