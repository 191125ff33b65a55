import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { demonstrationImages } from '../../demo/images.ts'
import { ROOT } from '../../scripts/root.ts'
import { CHROMIUM, hasChromium, QUIET_CHROMIUM } from '../browser/chromium.ts'

const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0

/** Whether a browser can be given a microphone and a camera. */
export const hasDevices = hasChromium && hasFfmpeg

/** Says in a test's title why it is skipped. */
export const withoutDevices = hasDevices ? '' : ' (skipped: needs Chromium and ffmpeg)'

/** Runs ffmpeg on files, of which the last one is written. */
export function ffmpeg(...options: string[]): void {
  execFileSync('ffmpeg', ['-hide_banner', '-loglevel', 'error', '-y', ...options])
}

/** A browser whose microphone hears a reading of a text again and again, and whose camera sees one person, who moves a little. */
export async function chromiumWithDevices(): Promise<{ browser: Browser; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'devices-'))
  const heard = join(folder, 'heard.wav')
  ffmpeg('-i', join(ROOT, 'corpora/speech/neutral.m4a'), '-ar', '48000', '-ac', '1', heard)
  const seen = join(folder, 'seen.mjpeg')
  const images = join(await demonstrationImages(join(folder, 'images')), 'image-%d.jpg')
  // With the noise of a camera, so that no two of its pictures are the same; long enough not to begin again in a recording of half a minute.
  const moving = ['-framerate', '2', '-loop', '1', '-t', '90', '-i', images]
  ffmpeg(...moving, '-vf', 'fps=10,noise=alls=6:allf=t', '-pix_fmt', 'yuvj420p', '-q:v', '4', seen)
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: [
      ...QUIET_CHROMIUM,
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-audio-capture=${heard}`,
      `--use-file-for-fake-video-capture=${seen}`,
    ],
  })
  return {
    browser,
    async close() {
      await browser.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
