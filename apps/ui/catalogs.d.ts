/** The messages of an app in a language, those of its elements among them. */
declare module 'virtual:messages/*' {
  const messages: import('./language.tsx').Catalog
  export default messages
}
