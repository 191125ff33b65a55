import * as z from 'zod'
import { SIGNIFICANCES } from '../change.ts'
import { crisisResources } from '../crisis-resources.ts'
import { EMOTIONS } from '../visual/outcome.ts'

const sessionId = z.guid().describe('The session')
const share = z.number().min(0).max(1)
const processingTime = z.number().min(0).describe('Time that the call took, milliseconds')
const words = z.array(z.string())

/** What the app's summary of a spoken conversation says. */
export const audioAnalysis = z.strictObject({
  vocal_stress_indicators: share.describe('0 none to 1'),
  speech_pattern_analysis: z
    .strictObject({
      pace_variation: share.describe(
        'How far the pace lies from the usual one: 0 at it, 1 at half or double',
      ),
      pause_frequency: share.describe('Share of the conversation without the student’s words, 0 to 1'),
      volume_consistency: share.describe('0 to 1, by the quality of the voice'),
    })
    .describe('How the student spoke'),
  emotional_markers: words.describe('What stands out, in plain words'),
  confidence_score: share.max(0.6).describe('0 to 0.6: a summary is never as sure as a recording'),
})

/** Answer of `analyze-audio`. */
export const audioAnswer = z.strictObject({
  sessionId,
  analysis: audioAnalysis.describe('What the summary says'),
  processing_time: processingTime,
  crisis_resources: crisisResources,
})

const percent = z.number().min(0).max(100)
const degrees = z.number().min(-180).max(180)

/** What one still and the app's summary of all samples say. */
export const visualAnalysis = z.strictObject({
  image_analysis_results: z
    .strictObject({
      emotions: z
        .array(
          z.strictObject({
            emotion: z.enum(EMOTIONS).describe('Expression'),
            confidence: percent.describe('Percent; together 100'),
          }),
        )
        .describe('Likeliest first; empty when the still is not usable'),
      face_details: z
        .strictObject({
          quality: z
            .strictObject({
              brightness: percent.nullable().describe('Of the face, percent: 0 black to 100 white'),
              sharpness: percent.nullable().describe('Of the face, percent: 0 blurred to 100 sharp'),
            })
            .describe('Of the picture of the face'),
          pose: z
            .strictObject({
              roll: degrees
                .nullable()
                .describe('Degrees; positive with the head tilted clockwise in the picture'),
              yaw: degrees.nullable().describe('Degrees; positive turned to the person’s left'),
              pitch: degrees.nullable().describe('Degrees; positive with the chin raised'),
            })
            .describe('Of the head, 0 facing the camera upright'),
        })
        .describe('Measured on the face; every value `null` when there is not exactly one'),
      quality_assessment: z
        .strictObject({
          overall_quality: share.describe('0 unusable to 1'),
          lighting_quality: share.describe('0 dark or washed out to 1'),
          face_visibility: share.describe('0 no face to 1'),
        })
        .describe('Of the still and of the samples'),
    })
    .describe('What the still shows'),
  analysis_summary: z
    .strictObject({
      primary_emotion: z.enum([...EMOTIONS, 'unknown']).describe('The likeliest expression'),
      emotional_stability: share.describe('0 to 1'),
      engagement_score: share.describe('0 to 1'),
    })
    .describe('What it comes to'),
})

/** Answer of `analyze-visual`. */
export const visualAnswer = z.strictObject({
  sessionId,
  ...visualAnalysis.shape,
  crisis_resources: crisisResources,
})

/** What the student's words say. */
export const conversationAnalysis = z.strictObject({
  sentiment_analysis: z
    .strictObject({
      overall_sentiment: z.enum(['positive', 'negative', 'neutral']).describe('Tone of the words'),
      confidence: share.describe('0 to 1'),
      emotional_indicators: words.describe('Emotions that stand out; where nothing was read, why'),
    })
    .describe('How the words feel'),
  linguistic_patterns: z
    .strictObject({
      complexity_score: share.describe('0 to 1; 0 where nothing was read'),
      coherence_score: share.describe('0 to 1; 0 where nothing was read'),
      emotional_language_usage: z.number().min(0).describe('Emotional words per 100 words'),
    })
    .describe('How the words are put'),
  key_themes: words.max(6).describe('Main topics'),
  risk_indicators: words.describe(
    'What the crisis check and the signs found, never in the student’s own words',
  ),
  phq_indicators: z
    .strictObject({
      depression_markers: words.describe('Topics of the PHQ-9'),
      anxiety_markers: words.describe('Topics of the GAD-7'),
      severity_indicators: words.describe('How often, how long and how far'),
    })
    .describe('What was put into words of what the PHQ-9 and the GAD-7 ask about: no score, no finding'),
})

/** Answer of `analyze-text`. */
export const textAnswer = z.strictObject({
  sessionId,
  analysis: conversationAnalysis.describe('What the words say'),
  crisis_resources: crisisResources,
})

const component = percent.nullable()

/** A session's score, its reasons and what follows from it. */
export const fusionScore = z.strictObject({
  final_score: percent.describe('Wellbeing, 0 to 100, in practice 10 to 90; higher is better'),
  confidence: share.describe('1 minus the uncertainty; show it with the score'),
  component_scores: z
    .strictObject({
      audio_score: component.describe('Voice, 0 to 100'),
      visual_score: component.describe('Face, 0 to 100'),
      text_score: component.describe('Words, 0 to 100'),
    })
    .describe('`null` for what took no part'),
  risk_assessment: z
    .strictObject({
      level: z.enum(['low', 'medium', 'high']).describe('Never below what crisis language calls for'),
      indicators: words.describe('What speaks for it, gravest first'),
      recommendations: words.describe('What may help, to the student'),
    })
    .describe('How much there is to worry about'),
  trend_analysis: z
    .strictObject({
      compared_to_baseline: z
        .number()
        .describe('Score minus the usual score of the student’s check-ins, points'),
      trend_direction: z.enum(['improving', 'stable', 'declining']).describe('Direction of the change'),
      significance: z.enum(SIGNIFICANCES).describe('How clearly the change stands out'),
    })
    .optional()
    .describe('Only once there is a baseline of three check-ins'),
})

/** Answer of `calculate-wellbeing-score`. */
export const scoreAnswer = z.strictObject({
  sessionId,
  fusion_score: fusionScore.describe('The score, its reasons and what follows from it'),
  metadata: z
    .strictObject({
      algorithm_version: z.string().describe('Version of the scoring'),
      processing_time: processingTime,
      data_quality_score: share.describe('Mean quality of what the student agreed to, 0 to 1'),
    })
    .describe('How the score was made'),
  crisis_resources: crisisResources,
})
