export type AudioContainer = 'm4a' | 'webm' | 'ogg' | 'mp3' | 'wav' | 'flac'

/** What the analysis needs to know of a recording before it decodes any of it. */
export interface RecordingInfo {
  container: AudioContainer
  codec: 'aac' | 'opus' | 'mp3' | 'flac' | 'pcm'
  durationS: number
  sampleRateHz: number
  channels: number
}
