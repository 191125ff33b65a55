import { onlineManager } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { loadLanguage, preferredLanguage } from '../../ui/language.tsx'
import { appearance, showAppearance } from '../../ui/remembered.ts'
import { App } from './app.tsx'
import { CATALOGS } from './catalogs.ts'
import { connect } from './service.tsx'
import '../../ui/style.css'
import './style.css'

const root = document.getElementById('app')
if (root) {
  showAppearance(appearance())
  // It hears of changes, and takes the beginning for online.
  onlineManager.setOnline(navigator.onLine)
  const speech = await loadLanguage(preferredLanguage(), CATALOGS)
  try {
    createRoot(root).render(<App service={await connect(speech.language)} speech={speech} />)
  } catch (error) {
    // Not even the address of the service is known: the first start, and no network.
    root.textContent = `${speech.messages['problem.no-service']} ${speech.messages['crisis.unknown']}`
    console.error(error)
  }
}
