import { type Crisis, detectCrisis } from '../text/index.ts'

/** How transcripts name the app's side. Every other turn, also one without a name, is taken for the student's. */
const APP_TURN =
  /^\s*(?:\*\*|\[)?(?:assistant|ai|agent|bot|chatbot|system|interviewer|coach|companion)(?:\*\*|\])?\s*:/i

/** How transcripts name the student's side; taken off, because the name is not the student's word. */
const STUDENT_NAME =
  /^\s*(?:\*\*|\[)?(?:user|student|human|client|participant|me|you)(?:\*\*|\])?\s*:(?:\*\*)?\s*/i

/** An answer that owns up to what was asked. */
const OWNS_UP =
  /^\W*(?:yes|yeah|yea|yep|yup|kind of|kinda|sort of|sometimes|maybe|probably|i do|i am|i have|i did|i think so|a bit|a little|often|every day|i guess)\b/i

/** A question that asks the student, as opposed to telling something. */
const ASKS = /\?\s*$/

/**
 * The student's own words of a conversation: turns that carry the app's name are left out, so that its questions are
 * not read as the student's.
 */
export function ownWords(conversation: string): string {
  return turns(conversation)
    .filter((line) => !APP_TURN.test(line))
    .map((line) => line.replace(STUDENT_NAME, ''))
    .join('\n')
}

/** A question of the app about a crisis to which the student says yes is as grave as the student's own words. */
export function ownedUp(conversation: string): Crisis {
  const spoken = turns(conversation).filter((line) => line.trim() !== '')
  const ownedQuestions = spoken.filter((line, index) => {
    const reply = spoken[index + 1] ?? ''
    return (
      APP_TURN.test(line) &&
      ASKS.test(line) &&
      !APP_TURN.test(reply) &&
      OWNS_UP.test(reply.replace(STUDENT_NAME, ''))
    )
  })
  const { level } = detectCrisis(ownedQuestions.map(asOwnWords).join('\n'))
  return { level, rule: level === 'none' ? null : 'answer.yes' }
}

/** "Are you thinking of killing yourself?" as the student who says yes would say it. */
function asOwnWords(question: string): string {
  return question
    .replace(APP_TURN, '')
    .replace(/\byourself\b/gi, 'myself')
    .replace(/\byour\b/gi, 'my')
    .replace(/\b(?:are|were) you\b/gi, 'I am')
    .replace(/\b(?:do|did|have) you\b|\byou\b/gi, 'I')
    .replace(/\?\s*$/, '.')
}

/**
 * Turns of a dialogue: its lines, and within a line what follows a name. An app's name begins a turn there only when it is
 * unmistakable, because what is taken for the app's is not read.
 */
function turns(conversation: string): string[] {
  return conversation.split(
    /\r?\n|\s(?=(?:user|student|human|client|participant|me):\s)|(?<=[.?!]["”]?\s?)\s(?=(?:Assistant|AI|Agent|Bot|Chatbot|Interviewer):\s)/i,
  )
}
