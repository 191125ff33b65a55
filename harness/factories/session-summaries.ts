import type { AudioData, VisualSummary } from '../../functions/_shared/sessions/app-summaries.ts'

/** Two minutes of calm talk, with what is given. */
export function audioData(parts: Partial<AudioData> = {}): AudioData {
  return {
    conversation_duration: 120,
    speech_rate: 1,
    voice_quality: 'clear',
    emotional_tone: 'neutral',
    mood_score_1_10: 6,
    transcript_length: 900,
    ...parts,
  }
}

/** Ten good samples, with what is given. */
export function visualSummary(parts: Partial<VisualSummary> = {}): VisualSummary {
  return {
    samples_captured: 10,
    face_detection_rate: 1,
    avg_brightness: 0.5,
    quality_score: 0.9,
    engagement_level: 'moderate',
    ...parts,
  }
}
