import { parse } from '@formatjs/icu-messageformat-parser'
import type { Plugin } from 'vite'

const PARSER = '@formatjs/icu-messageformat-parser'

/** Messages with arguments are parsed when the app is built: it ships without the parser. */
export const parsedMessages: Plugin = {
  name: 'parsed-messages',
  enforce: 'pre',
  config: () => ({
    resolve: { alias: [{ find: new RegExp(`^${PARSER}$`), replacement: `${PARSER}/no-parser.js` }] },
  }),
  transform(text, id) {
    if (!/\/catalogs\/.+\.json(\?|$)/.test(id)) return null
    return JSON.stringify(
      JSON.parse(text, (_, message) => (/[{<']/.test(message) ? parse(message) : message)),
    )
  },
}
