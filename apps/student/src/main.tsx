import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { connect } from './service.tsx'
import './styles/base.css'

const root = document.getElementById('app')
if (root) createRoot(root).render(<App service={await connect()} />)
