import { existsSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import sirv from 'sirv'

/** The apps, by their folders of apps/, and the option that says at which port each is served. */
export const APPS = { student: '--app-port', staff: '--staff-port' } as const
export type AppName = keyof typeof APPS

const distOf = (app: AppName) => join(import.meta.dirname, '..', 'apps', app, 'dist')

/** Whether an app has been built; `npm ci` does it. */
export function hasApp(app: AppName, dist = distOf(app)): boolean {
  return existsSync(join(dist, 'index.html'))
}

/** Where a service is reached, and with which key apps call it. */
export type ServiceAddress = { apiUrl: string; publishableKey: string }

/**
 * Serves an app on 127.0.0.1, as a host of static files does, with the `config.json` of a service and the headers that a host
 * should send (docs/deployment.md).
 *
 * @param port 0 takes one that is free
 * @throws Error that says what to do when the port is in use
 */
export async function serveApp(
  app: AppName,
  service: ServiceAddress,
  { port, dist = distOf(app) }: { port: number; dist?: string },
): Promise<Server> {
  const headers = headersFor(app, service.apiUrl)
  const secure = (response: ServerResponse) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  }
  const files = sirv(dist, {
    // Looked up at each request, as the app may be built anew meanwhile.
    dev: true,
    etag: true,
    setHeaders(response, path) {
      secure(response)
      // Files of assets/ are named after what they hold; the others are asked for again.
      const named = path.startsWith('/assets/')
      response.setHeader('Cache-Control', named ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  const configuration = JSON.stringify({ url: service.apiUrl, publishableKey: service.publishableKey })
  const server = createServer((request, response) => {
    if (request.url?.split('?')[0] === '/config.json') {
      secure(response)
      response.setHeader('Content-Type', 'application/json')
      response.setHeader('Cache-Control', 'no-cache')
      response.end(configuration)
      return
    }
    files(request, response, () => {
      secure(response)
      response.statusCode = 404
      response.end()
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve).once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE'
      reject(
        taken ? new Error(`Port ${port} is in use. Serve the ${app} app elsewhere: ${APPS[app]} N`) : error,
      )
    })
    server.listen(port, '127.0.0.1')
  })
  return server
}

/** The app's page runs the app's own scripts and styles, calls the service, and can do nothing else. */
function headersFor(app: AppName, apiUrl: string): Record<string, string> {
  // Students record themselves.
  const devices = app === 'student' ? '(self)' : '()'
  const policy = {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': "'self' blob: data:",
    'media-src': "'self' blob:",
    'connect-src': `'self' ${apiUrl} ${apiUrl.replace(/^http/, 'ws')}`,
    'manifest-src': "'self'",
    'worker-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
  }
  return {
    'Content-Security-Policy': Object.entries(policy)
      .map(([name, value]) => `${name} ${value}`)
      .join('; '),
    'Permissions-Policy': `camera=${devices}, microphone=${devices}, geolocation=(), payment=(), usb=()`,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  }
}
