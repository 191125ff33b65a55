import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { messages } from '../ui/messages.ts'

export default defineConfig({
  // Where the app is hosted is not known when it is built.
  base: './',
  plugins: [messages, react()],
  build: { target: 'es2023', license: { fileName: 'licenses.md' } },
})
