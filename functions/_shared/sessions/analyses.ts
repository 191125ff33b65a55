import * as z from 'zod'
import { SIGNIFICANCES } from '../direction-of-change.ts'
import { EMOTIONS } from '../visual/outcome.ts'

const share = z.number().min(0).max(1)
const texts = z.array(z.string())

/** What the app's summary of a spoken conversation says. */
export const audioAnalysis = z.strictObject({
  vocal_stress_indicators: share.describe('0 none to 1'),
  speech_pattern_analysis: z
    .strictObject({
      pace_variation: share.describe(
        'How far the pace lies from the usual one: 0 at it, 1 at half or double',
      ),
      pause_frequency: share.describe('Share of the conversation in which the student did not speak, 0 to 1'),
      volume_consistency: share.describe('0 to 1, by the quality of the voice'),
    })
    .describe('How the student spoke'),
  emotional_markers: texts.describe('What stands out, in plain words'),
  confidence_score: share.max(0.6).describe('0 to 0.6: a summary is never as sure as a recording'),
})

const percent = z.number().min(0).max(100)
const degrees = z.number().min(-180).max(180)

/** What one image and the app's summary of all its samples show. */
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
        .describe('Likeliest first; empty when the image is not usable'),
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
        .describe('Of the image and of the samples'),
    })
    .describe('What the image shows'),
  analysis_summary: z
    .strictObject({
      primary_emotion: z.enum([...EMOTIONS, 'unknown']).describe('The likeliest expression'),
      emotional_stability: share.describe('0 to 1'),
      engagement_score: share.describe('0 to 1'),
    })
    .describe('Summary of the image and the samples'),
})

/** What a conversation says. */
export const conversationAnalysis = z.strictObject({
  sentiment_analysis: z
    .strictObject({
      overall_sentiment: z.enum(['positive', 'negative', 'neutral']).describe('Tone of the text'),
      confidence: share.describe('0 to 1'),
      emotional_indicators: texts.describe('Emotions that stand out; if nothing was analysed, why'),
    })
    .describe('How the text feels'),
  linguistic_patterns: z
    .strictObject({
      complexity_score: share.describe('0 to 1; 0 if nothing was analysed'),
      coherence_score: share.describe('0 to 1; 0 if nothing was analysed'),
      emotional_language_usage: z.number().min(0).describe('Emotional words per 100 words'),
    })
    .describe('How the text is written'),
  key_themes: texts.max(6).describe('Main topics'),
  risk_indicators: texts.describe('What the crisis check and the signs found, never quoted from the student'),
  phq_indicators: z
    .strictObject({
      depression_markers: texts.describe('Topics of the PHQ-9'),
      anxiety_markers: texts.describe('Topics of the GAD-7'),
      severity_indicators: texts.describe('How often, how long and how far'),
    })
    .describe(
      'What the student said about topics of the PHQ-9 and the GAD-7: neither a score nor a diagnosis',
    ),
})

const component = percent.nullable()

/** A session's score, its reasons and what follows from it. */
export const fusionScore = z.strictObject({
  final_score: percent.describe('Wellbeing, 0 to 100, in practice 10 to 90; higher is better'),
  confidence: share.describe('1 minus the uncertainty; show it with the score'),
  score_interval: z
    .tuple([percent, percent])
    .describe('90% interval: how far the same session would score elsewhere if it were repeated'),
  calibrated: z
    .boolean()
    .describe('`false`: the interval says how repeatable the score is, not how accurate'),
  component_scores: z
    .strictObject({
      audio_score: component.describe('Voice, 0 to 100'),
      visual_score: component.describe('Face, 0 to 100'),
      text_score: component.describe('Text, 0 to 100'),
    })
    .describe(
      '`null` where nothing was measured, and without consent; a number too where it was too poor to take part in the score',
    ),
  risk_assessment: z
    .strictObject({
      level: z.enum(['low', 'medium', 'high']).describe('Never below what crisis language calls for'),
      indicators: texts.describe('What speaks for it, the most serious first'),
      recommendations: texts.describe('What may help, to the student'),
    })
    .describe('How serious the risk is'),
  trend_analysis: z
    .strictObject({
      compared_to_baseline: z
        .number()
        .describe('Score minus the usual score of the student’s check-ins, points'),
      trend_direction: z.enum(['improving', 'stable', 'declining']).describe('Direction of the change'),
      significance: z.enum(SIGNIFICANCES).describe('How clearly the change stands out'),
    })
    .optional()
    .describe('Only with a baseline of at least three check-ins'),
})
