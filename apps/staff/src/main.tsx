import { onlineManager } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { loadLanguage, preferredLanguage } from '../../ui/language.tsx'
import { appearance, showAppearance } from '../../ui/remembered.ts'
import { takeMailLink } from './account/mail-link.ts'
import { App } from './app.tsx'
import { CATALOGS } from './catalogs.ts'
import { connect } from './service.tsx'
import '../../ui/style.css'
import '../../ui/data.css'
import './style.css'

// Before anything else: what is in the address of a mail's link is a secret.
takeMailLink()

const root = document.getElementById('app')
if (root) {
  showAppearance(appearance())
  // It hears of changes, and takes the beginning for online.
  onlineManager.setOnline(navigator.onLine)
  const speech = await loadLanguage(preferredLanguage(), CATALOGS)
  try {
    createRoot(root).render(<App service={await connect()} speech={speech} />)
  } catch (error) {
    root.textContent = speech.messages['problem.no-service']
    console.error(error)
  }
}
