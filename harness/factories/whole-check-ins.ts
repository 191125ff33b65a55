import { join } from 'node:path'
import { demonstrationImages } from '../../demo/images.ts'
import { audioFile, imageFiles } from '../../demo/media.ts'
import { type CheckInResult, checkIn, type Recording } from '../../demo/mobile-client.ts'
import type { Project } from '../stack/project.ts'
import { SPEECH, transcriptOf } from './check-ins.ts'
import { newStudent } from './students.ts'

/** The media that the project ships: twenty seconds of speech, eight images and a transcript. */
export async function demonstrationRecording(folder: string): Promise<Recording> {
  return {
    audio: audioFile(join(SPEECH, 'neutral.m4a')),
    images: imageFiles(await demonstrationImages(join(folder, 'images'))),
    transcript: transcriptOf('neutral'),
    moodScore: null,
  }
}

/** A whole check-in of a new student, as the app makes one: from sign-in to result, live channel included. Throws without a result. */
export async function submitAndWait(project: Project, recording: Recording): Promise<CheckInResult> {
  const { client } = await newStudent(project)
  try {
    const { result, error } = await checkIn(client, recording, () => {})
    if (!result) throw new Error(`No result: ${error?.code}`)
    return result
  } finally {
    await client.removeAllChannels()
  }
}
