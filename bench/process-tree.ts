import { readdirSync, readFileSync } from 'node:fs'

/**
 * Resident memory of a process and all that descend from it, MB (Linux). Shared pages are counted once, in
 * proportion (PSS), where the kernel tells; else resident size is taken.
 */
export function treeMemoryMb(root: number): number {
  const children = new Map<number, number[]>()
  for (const entry of readdirSync('/proc')) {
    const pid = Number(entry)
    if (!Number.isInteger(pid)) continue
    const parent = parentOf(pid)
    if (parent !== null) children.set(parent, [...(children.get(parent) ?? []), pid])
  }
  let total = 0
  const queue = [root]
  for (let pid = queue.pop(); pid !== undefined; pid = queue.pop()) {
    total += memoryKb(pid)
    queue.push(...(children.get(pid) ?? []))
  }
  return total / 1024
}

function parentOf(pid: number): number | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return Number(fields[1])
  } catch {
    return null
  }
}

function memoryKb(pid: number): number {
  for (const [file, field] of [
    ['smaps_rollup', 'Pss'],
    ['status', 'VmRSS'],
  ]) {
    try {
      const found = readFileSync(`/proc/${pid}/${file}`, 'utf8').match(
        new RegExp(`^${field}:\\s+(\\d+) kB`, 'm'),
      )
      if (found) return Number(found[1])
    } catch {
      // Not ours to read, or gone.
    }
  }
  return 0
}
