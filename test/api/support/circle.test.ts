import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { freePorts } from 'local-supabase'
import { describe, expect, inject, test } from 'vitest'
import { node } from '../../../harness/stack/command.ts'
import { localOnly, localStack } from '../../../harness/stack/project.ts'

const COMMAND = 'demo/support-circle.ts'

describe('npm run support-circle', localOnly('reads the inbox, moves rows into the past'), () => {
  test('plays the whole circle on the stack that it is given', async () => {
    const { code, output } = await node(COMMAND, '--data', dirname(localStack().logFile), '--patience', '240')
    expect(output).toMatch(/11\. [\s\S]*Everything happened as it should\./)
    expect(code).toBe(0)
  })

  test('ends with 1, and says what is missing, where a message does not come', async () => {
    const [port = 0] = await freePorts(1)
    const inbox = createServer((_, response) =>
      response.end('{"outcome": "deliver", "texts": [], "messages": []}'),
    )
    await new Promise<void>((resolve) => inbox.listen(port, '127.0.0.1', resolve))
    const dataDir = mkdtempSync(join(tmpdir(), 'stack-'))
    const { apiUrl, databaseUrl, publishableKey, secretKey } = inject('project')
    const description = {
      ...{ api_url: apiUrl, database_url: databaseUrl, inbox_url: `http://127.0.0.1:${port}` },
      ...{ publishable_key: publishableKey, secret_key: secretKey },
    }
    writeFileSync(join(dataDir, 'stack.json'), JSON.stringify(description))
    const { code, output } = await node(COMMAND, '--data', dataDir, '--patience', '0.5')
    expect(output).toContain('The email to Ottoline: not within 0.5 s')
    expect(output).not.toContain('as it should')
    expect(code).toBe(1)
    inbox.close()
    rmSync(dataDir, { recursive: true })
  })

  test('says what there is, and what is wrong with what it is given', async () => {
    for (const [args, code, message] of [
      [['--help'], 0, '--patience'],
      [['--data', 'nowhere'], 1, 'npm start'],
      [['--patience', 'long'], 1, 'a number of seconds'],
    ] as const) {
      expect(await node(COMMAND, ...args)).toEqual({ code, output: expect.stringContaining(message) })
    }
  })
})
