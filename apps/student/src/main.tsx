import { onlineManager } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { loadLanguage, preferredLanguage } from './language.tsx'
import { appearance, showAppearance } from './remembered.ts'
import { connect } from './service.tsx'
import './style.css'

const root = document.getElementById('app')
if (root) {
  showAppearance(appearance())
  // It hears of changes, and takes the beginning for online.
  onlineManager.setOnline(navigator.onLine)
  const speech = await loadLanguage(preferredLanguage())
  try {
    createRoot(root).render(<App service={await connect(speech.language)} speech={speech} />)
  } catch (error) {
    // Not even the address of the service is known: the first start, and no network.
    root.textContent = `${speech.messages['problem.no-service']} ${speech.messages['crisis.unknown']}`
    console.error(error)
  }
}
