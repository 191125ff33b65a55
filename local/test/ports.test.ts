import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { freePorts } from '../src/ports.ts'

it('ports that are free are given out once, and never one that an outgoing connection may have', async () => {
  const ports = [...(await freePorts(3)), ...(await freePorts(3))]
  expect(new Set(ports).size).toBe(6)
  for (const port of ports) {
    expect(port).toBeGreaterThan(1024)
    expect(port).toBeLessThan(32_768)
  }
})

it('a port that is in use is passed over', async () => {
  const [last = 0] = await freePorts(1)
  const used = createServer()
  await new Promise<void>((resolve) => used.listen(last + 1, '127.0.0.1', resolve))
  try {
    expect(await freePorts(29)).not.toContain(last + 1)
  } finally {
    await new Promise((resolve) => used.close(resolve))
  }
})
