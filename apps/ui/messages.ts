import { globSync } from 'node:fs'
import { parse } from '@formatjs/icu-messageformat-parser'
import type { Plugin } from 'vite'

const PARSER = '@formatjs/icu-messageformat-parser'
const MESSAGES = 'virtual:messages/'

/**
 * `virtual:messages/de` has the messages of a language, those of an app with those of its elements, so that one file is loaded. Those with
 * arguments are parsed when the app is built: it ships without the parser.
 */
export const messages: Plugin = {
  name: 'messages',
  enforce: 'pre',
  config: () => ({
    resolve: { alias: [{ find: new RegExp(`^${PARSER}$`), replacement: `${PARSER}/no-parser.js` }] },
  }),
  resolveId: (id) => (id.startsWith(MESSAGES) ? `\0${id}` : null),
  load(id) {
    const [, language] = id.split(`\0${MESSAGES}`)
    if (language === undefined) return null
    const { root } = this.environment.config
    const files = ['../ui/catalogs', 'src/catalogs/**'].flatMap((folder) =>
      globSync(`${root}/${folder}/${language}.json`).sort(),
    )
    const imports = files.map((file, at) => `import catalog${at} from ${JSON.stringify(file)}`)
    const catalogs = files.map((_, at) => `...catalog${at}`)
    return `${imports.join('\n')}\nexport default { ${catalogs.join(', ')} }`
  },
  transform(text, id) {
    if (!/\/catalogs\/.+\.json(\?|$)/.test(id)) return null
    return JSON.stringify(
      JSON.parse(text, (_, message) => (/[{<']/.test(message) ? parse(message) : message)),
    )
  },
}
