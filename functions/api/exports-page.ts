import * as z from 'zod'
import { deletedPage, downloadPage, tooManyPage, unknownPage } from '../_shared/exports/download-page.ts'
import { cancelExport, exportOfLink, readExport } from '../_shared/exports/requests.ts'
import { countUnknownLink, type LinkCall, linkPage, readLinkForm } from '../_shared/http/link-page.ts'
import { endpoint } from '../_shared/http/serve.ts'

const TOKEN = '5f1c0c8e7a2b4d6f9e3a1b5c7d9f0e2a4c6b8d0f1e3a5c7b9d1f3e5a7c9b0d2f'

const common = {
  path: '/api/privacy/download',
  tag: 'Privacy',
  security: 'none',
  query: z.object({ token: z.string().catch('').describe('From the email') }),
  response: z.string().describe('HTML'),
  produces: 'text/html',
  otherwise: {
    404: 'A page that says that the link does not work.',
    429: 'A page that says how long to wait: too many links that do not work were opened from the address.',
  },
} as const

const show = endpoint(
  {
    ...common,
    id: 'showExport',
    method: 'get',
    summary: 'The page on which a person downloads their export',
    description:
      'The link in the email works for seven days. Opening the page changes nothing, however often.',
    example: { query: { token: TOKEN } },
  },
  async ({ query: { token } }, call) => {
    const found = await exportOfLink(call.database, token)
    if (!found) return nothing(call)
    const { database, supabase, environment } = call
    const exported = await readExport(database, supabase, environment.publicUrl, found.userId, found.id)
    return linkPage(downloadPage(exported), call)
  },
)

const remove = endpoint(
  {
    ...common,
    id: 'deleteExportByLink',
    method: 'post',
    summary: "The page's form: deletes the files of the export",
    body: z.object({}),
    consumes: 'application/x-www-form-urlencoded',
    example: { query: { token: TOKEN }, body: {} },
  },
  async ({ query: { token } }, call) => {
    await readLinkForm(call)
    const found = await exportOfLink(call.database, token)
    if (!found) return nothing(call)
    await cancelExport(call.database, found.userId, found.id)
    return linkPage(deletedPage(), call)
  },
)

/** `/api/privacy/download`: where the link in the email leads to. */
export const EXPORTS_PAGE = [show, remove] as const

async function nothing(call: LinkCall): Promise<Response> {
  const wait = await countUnknownLink(call)
  return linkPage(wait === null ? unknownPage() : tooManyPage(wait), call)
}
