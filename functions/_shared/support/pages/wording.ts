/** Version of the wording that a contact agrees to; changed with any word of it. */
const WORDING_VERSION = '2026-11-22'

/** What a contact agrees to, as the page shows it and the audit keeps it. */
export function wordingFor(student: string): { version: string; text: string } {
  return {
    version: WORDING_VERSION,
    text: `I agree to be a support contact for ${student} and to receive automated text messages about ${student} from Student wellbeing at my number. Most contacts get none in most weeks. Message and data rates may apply. I can reply STOP at any time to stop, or HELP for help.`,
  }
}
