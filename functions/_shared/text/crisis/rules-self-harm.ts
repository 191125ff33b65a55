import { ATTEMPT, type CrisisRule, LOOSE } from './rule.ts'

const ACCIDENT =
  /\b(?:shav\w+|cook\w*|chop\w*|kitchen|accident\w*|by mistake|football|soccer|practice|gym|training|playing|running|lifting|basketball|rugby|tennis|skis?|skiing|skat\w*|fell|bike|slipped|opening|paper|glass|oven|iron|coffee|tea|curling|stove|pan|sprain\w*|stubbed|sunburn\w*)\b(?!.*\bon purpose\b)/

/** Self-harm without the wish to die. */
export const SELF_HARM_RULES: readonly CrisisRule[] = [
  {
    id: 'self_harm.hurt_self',
    level: 'high',
    pattern:
      /\b(?:cut|cuts|cutting|burn|burns|burning|burned|burnt|hurt|hurts|hurting|harm|harms|harming|harmed|scratch\w*|hit|hitting|biting|punch|punching|punched|injur\w+|bruising) myself\b(?! (?:off|some|a|out|short|loose|free|from)\b)/g,
    readings: { ...LOOSE, past: 'moderate' },
    unless: ACCIDENT,
  },
  {
    id: 'self_harm.word',
    level: 'high',
    pattern: /\bself ?(?:harm|harms|harmed|harming|injury|injuring|mutilat\w+)\b/g,
    readings: ATTEMPT,
    unless: /\bself ?harm (?:prevention|awareness|training|policy|lecture|research|statistics)\b/,
  },
  {
    id: 'self_harm.cutting',
    level: 'high',
    pattern:
      /\b(?:been|started|start|starting|back to|relapsed(?: on| with| into)?|urges? to|miss|want to|stop|need to|needed to|have to|crave|craving|itching to|going to)(?: \w+)? (?:cutting|cut)(?: again| tonight| lately| more)?(?= |$)(?! (?!(?:and|because|since|when|tonight|at night|lately|every|so|i|myself|but|or|just|if|to|it|until|till) )[a-z])/g,
    readings: ATTEMPT,
  },
  {
    id: 'self_harm.i_cut',
    level: 'high',
    pattern:
      /\bi cut (?:every (?:night|day|time)|most (?:nights|days)|last night|to (?:feel|cope|relieve|punish|calm)|when (?:i|it|things)|too deep|so deep|deeper)\b|\b(?:razors?|blades?)\b(?: \w+){0,8} (?:cut|cutting)\b|\brelapsed(?: \w+){0,3} (?:cut|cutting|burned|self)\b|\b(?:cut|cutting|burn|burning|burned|scratch\w*|carv\w*|slic\w*|slash\w*)(?: up| into| open)? my (?:own )?(?:arms?|thighs?|wrists?|legs?|skin|stomach|body)\b|\burges? to (?:cut|burn|harm|hurt)(?= |$)(?! (?!and |again |tonight |myself )[a-z])|\bcut too deep\b/g,
    readings: ATTEMPT,
    unless:
      /\b(?:shav\w+|cook\w*|chop\w*|kitchen|hair|onions?|cardboard|boxes|accident\w*|oven|sun|iron|gym|run|running|fell|cat|bike|thorns?|roses?)\b/,
  },
  {
    id: 'self_harm.cuts',
    level: 'high',
    pattern:
      /\b(?:cuts?|cutting|burns?|scars?|blade|razor)(?: \w+){0,3} (?:on|into|up|across|to|over|along|down) my (?:arms?|thighs?|wrists?|legs?|skin|stomach)\b/g,
    readings: ATTEMPT,
    unless: ACCIDENT,
  },
  {
    id: 'self_harm.starving',
    level: 'moderate',
    pattern:
      /\b(?:starv(?:e|ed|ing) myself|purg(?:e|ed|ing) (?:after|again|every)|(?:make|making|made) myself (?:throw up|vomit|sick))\b/g,
    readings: { ...LOOSE, past: 'moderate' },
  },
]
