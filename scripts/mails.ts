import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { templateOf, withSections } from './mails/templates.ts'
import { MAILS, type MailName } from './mails/words.ts'
import { ROOT } from './root.ts'

/** `npm run mails`: the templates of Auth's mails, and the sections of config.toml that name them. */
const folder = join(ROOT, 'supabase', 'templates')
mkdirSync(folder, { recursive: true })
for (const name of Object.keys(MAILS) as MailName[])
  writeFileSync(join(folder, `${name}.html`), templateOf(name))
const config = join(ROOT, 'supabase', 'config.toml')
writeFileSync(config, withSections(readFileSync(config, 'utf8')))
