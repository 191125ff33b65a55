import type * as z from 'zod'
import { isLowMoodStated } from '../low-mood.ts'
import { ramp, round } from '../numbers.ts'
import { isHigher, type RiskLevel } from '../risk-level.ts'
import { FEATURE_NORMS } from '../scoring/scheme.ts'
import { analyzeText, type TextAnalysis } from '../text/analyze.ts'
import { type Crisis, detectCrisis } from '../text/crisis/detect.ts'
import { agrees, asStatement } from '../text/crisis/questions.ts'
import type { conversationAnalysis } from './analyses.ts'
import { coherence } from './coherence.ts'
import { type DistressSigns, distressSigns } from './distress-signs.ts'
import { isLastinglyDespairing, LASTING_DESPAIR } from './lasting-despair.ts'
import { crisisIndicator } from './risk-wording.ts'
import type { StoredAnalysis } from './stored-analysis.ts'

/** VADER's own bounds of a neutral text (Hutto and Gilbert 2014). */
const NEUTRAL = 0.05

/** An emotion is named when its rate lies this many SD above the reference. */
const NAMED_FROM_SD = 0.5

const EMOTIONS = {
  joy: 'emotion_joy',
  sadness: 'emotion_sadness',
  anger: 'emotion_anger',
  anxiety: 'emotion_anxiety',
} as const

/** School grade that counts as most complex. */
const HIGHEST_GRADE = 14

type ConversationAnalysis = z.infer<typeof conversationAnalysis>

/** Analyses what the student said in a conversation: docs/scoring.md, "Assessment sessions". */
export function analyzeConversation(
  conversation: string,
  crisis: Crisis = crisisOf(conversation),
): StoredAnalysis<'text', ConversationAnalysis> {
  const transcript = studentTurns(conversation)
  const text = analyzeText(transcript)
  const isRead = text.features.sentiment_compound !== null
  const signs = isRead ? distressSigns(transcript) : { low_mood: [], anxiety: [], extent: [] }
  return {
    modality: 'text',
    analysis: {
      sentiment_analysis: sentimentOf(text, crisis.level),
      linguistic_patterns: {
        complexity_score: round(complexityOf(text)),
        coherence_score: isRead ? round(coherence(transcript)) : 0,
        emotional_language_usage: round(emotionalWords(text), 2),
      },
      key_themes: text.themes,
      risk_indicators: riskIndicators(text, crisis, signs),
      phq_indicators: {
        depression_markers: signs.low_mood,
        anxiety_markers: signs.anxiety,
        severity_indicators: severityOf(signs, crisis.level),
      },
    },
    measures: {
      features: text.features,
      replicates: text.replicates,
      words: text.quality.words,
      themes: text.themes,
      keywords: text.keywords,
      stated_mood: text.stated_mood,
      crisis_rule: crisis.rule,
    },
    quality: text.quality.score,
    quality_reason: text.quality.reason,
    risk_level: crisis.level,
  }
}

/** Crisis language in what the student said, or in a question of the app that the student confirms; despair that lasts counts as such. */
export function crisisOf(conversation: string): Crisis {
  const own = studentTurns(conversation)
  const said = detectCrisis(own)
  const confirmed = confirmedCrisis(conversation)
  const crisis = isHigher(confirmed.level, said.level) ? confirmed : said
  return isHigher('moderate', crisis.level) && isLastinglyDespairing(own)
    ? { level: 'moderate', rule: LASTING_DESPAIR }
    : crisis
}

/** Warm language around a disclosure is no good sign: with crisis language of `moderate` or `high` the tone counts as negative. */
function sentimentOf(text: TextAnalysis, crisis: RiskLevel): ConversationAnalysis['sentiment_analysis'] {
  const tone = text.features.sentiment_compound
  if (tone === null) {
    return { overall_sentiment: 'neutral', confidence: 0, emotional_indicators: [whyUnread(text)] }
  }
  const emotional_indicators = emotionsOf(text)
  if (tone > -NEUTRAL && (crisis === 'high' || crisis === 'moderate')) {
    return { overall_sentiment: 'negative', confidence: round(text.quality.score / 2), emotional_indicators }
  }
  const sureness =
    Math.abs(tone) < NEUTRAL ? 1 - Math.abs(tone) / NEUTRAL : ramp(Math.abs(tone), NEUTRAL, 0.5)
  return {
    overall_sentiment: Math.abs(tone) < NEUTRAL ? 'neutral' : tone > 0 ? 'positive' : 'negative',
    confidence: round(text.quality.score * (0.5 + sureness / 2)),
    emotional_indicators,
  }
}

/** Emotions that stand out, the strongest first. */
function emotionsOf({ features }: TextAnalysis): string[] {
  return Object.entries(EMOTIONS)
    .map(([emotion, feature]) => {
      const norm = FEATURE_NORMS.text[feature]
      return { emotion, z: norm ? ((features[feature] ?? 0) - norm.mean) / norm.sd : 0 }
    })
    .filter(({ z }) => z >= NAMED_FROM_SD)
    .sort((first, second) => second.z - first.z)
    .map(({ emotion }) => emotion)
}

/** Mean of the reading grade over 14 and of lexical diversity between 0.5 and 0.9, as far as they could be measured. */
function complexityOf({ features }: TextAnalysis): number {
  const parts = [
    features.reading_grade === null ? null : ramp(features.reading_grade, 0, HIGHEST_GRADE),
    features.lexical_diversity_mattr === null ? null : ramp(features.lexical_diversity_mattr, 0.5, 0.9),
  ].filter((part) => part !== null)
  return parts.length === 0 ? 0 : parts.reduce((sum, part) => sum + part, 0) / parts.length
}

function emotionalWords({ features }: TextAnalysis): number {
  return Object.values(EMOTIONS).reduce((sum, feature) => sum + (features[feature] ?? 0), 0)
}

function riskIndicators(text: TextAnalysis, crisis: Crisis, signs: DistressSigns): string[] {
  const indicators = [
    crisisIndicator(crisis.level, crisis.rule),
    isLowMoodStated(text.themes, text.stated_mood) ? 'a low mood put into words' : null,
    text.themes.includes('loneliness') ? 'loneliness' : null,
    signs.low_mood.length >= 3 ? 'several signs of low mood' : null,
    signs.anxiety.length >= 3 ? 'several signs of anxiety' : null,
    text.quality.reason === 'not_english'
      ? 'the text is not in English: only crisis language is looked for in it'
      : text.quality.reason === 'partly_not_english'
        ? 'a part of the text is not in English: only crisis language is looked for in it'
        : null,
  ]
  return indicators.filter((indicator) => indicator !== null)
}

function severityOf({ extent }: DistressSigns, crisis: RiskLevel): string[] {
  return crisis === 'high' || crisis === 'moderate' ? ['crisis language', ...extent] : extent
}

/** Why the text was not analysed. */
function whyUnread({ quality }: TextAnalysis): string {
  return quality.reason === 'not_english' ? 'the text is not in English' : 'there are too few words'
}

/** How transcripts label the app's turns. Every other turn, labelled or not, is taken for the student's. */
const APP_TURN =
  /^\s*(?:\*\*|\[)?(?:assistant|ai|agent|bot|chatbot|system|interviewer|coach|companion)(?:\*\*|\])?\s*:/i

/** How transcripts label the student's turns; removed, because the student did not say it. */
const STUDENT_LABEL =
  /^\s*(?:\*\*|\[)?(?:user|student|human|client|participant|me|you)(?:\*\*|\])?\s*:(?:\*\*)?\s*/i

/** A turn that asks, as opposed to telling something. */
const ASKS = /\?\s*$/

/** What the student said in a conversation: the app's turns are left out, so that its questions are not taken for the student's. */
export function studentTurns(conversation: string): string {
  return turns(conversation)
    .filter((line) => !APP_TURN.test(line))
    .map((line) => line.replace(STUDENT_LABEL, ''))
    .join('\n')
}

/** A crisis question of the app that the student confirms counts like a statement of the student. */
function confirmedCrisis(conversation: string): Crisis {
  const said = turns(conversation).filter((line) => line.trim() !== '')
  const confirmed = said.filter((line, index) => {
    const reply = said[index + 1] ?? ''
    return (
      APP_TURN.test(line) &&
      ASKS.test(line) &&
      !APP_TURN.test(reply) &&
      agrees(reply.replace(STUDENT_LABEL, ''))
    )
  })
  const { level } = detectCrisis(confirmed.map((line) => asStatement(line.replace(APP_TURN, ''))).join('\n'))
  return { level, rule: level === 'none' ? null : 'reply.yes' }
}

/**
 * Turns of a dialogue: its lines, and within a line what follows a label. Within a line only an unmistakable label of the
 * app begins a turn, because the app's turns are not analysed.
 */
function turns(conversation: string): string[] {
  return conversation.split(
    /\r?\n|\s(?=(?:user|student|human|client|participant|me):\s)|(?<=[.?!]["”]?\s?)\s(?=(?:Assistant|AI|Agent|Bot|Chatbot|Interviewer):\s)/i,
  )
}
