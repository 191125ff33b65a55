import { type CrisisRule, DISTRESS } from './rule.ts'

const LETHAL_TO_OTHERS =
  /\b(?:kill|kills|killed|killing|hang|hangs|hanged|hung|shoot|shot|hurt|hurts|hurting|harm|harms|harmed|harming|cut|cuts|cutting|end|ended|unalive|unalived|drown|drowned) (?:himself|herself|themself|themselves|yourself|yourselves|urself|oneself)\b|\b(?:took|take|taking|ended|end) (?:his|her|their) (?:own )?li(?:fe|ves)\b/g

/** Despair without danger in itself, and worry about somebody else's life. */
export const DISTRESS_RULES: readonly CrisisRule[] = [
  {
    id: 'other.self_harm',
    level: 'mild',
    pattern: LETHAL_TO_OTHERS,
    readings: { fiction: 'none', hyperbole: 'none' },
    unless: /\b(?:running|ran|race|gym|practice|game|match|cooking|shaving|football|skiing)\b/,
  },
  {
    id: 'distress.cannot_go_on',
    level: 'mild',
    pattern:
      /\b(?:cant|cannot|cant keep|dont think i can) (?:do(?:ing)? (?:this|it|life)|take (?:this|it)|go on|keep going|cope|carry on|handle (?:this|it|life)|bear (?:this|it))(?: (?:anymore|any more|any longer|like this))?(?= |$)(?! (?:today|on (?:monday|tuesday|wednesday|thursday|friday)|until|because of the (?:lab|class))\b)/g,
    readings: { ...DISTRESS, negated: undefined },
  },
  {
    id: 'distress.hopeless',
    level: 'mild',
    pattern:
      /\b(?:hopeless|no hope(?: left)?|(?:lost|losing) (?:all )?hope|given up hope|no future for me|no way out)\b/g,
    readings: DISTRESS,
    unless: /\bhopeless (?:at|with|romantic)\b/,
  },
  {
    id: 'distress.self_hatred',
    level: 'mild',
    pattern:
      /\b(?:hate|hating|despise|loathe|disgusted (?:by|with)) (?:myself|my life|being me|who i am)\b|\b(?:im|i am|feel|feeling)(?: \w+){0,2} (?:worthless|useless|a waste of space|a failure|nothing)\b/g,
    readings: DISTRESS,
    unless: /\b(?:feel|feeling) nothing (?:but|wrong|special)\b/,
  },
  {
    id: 'distress.pointless',
    level: 'mild',
    pattern:
      /\bwhat(?:s| is) (?:even )?the point(?= |$)(?: of (?:anything|it all|life|trying|living|going on|this|me)| anymore)?(?! of (?:the|a|having|that|these))|\b(?:life|everything)(?: \w+){0,3} (?:pointless|meaningless)\b/g,
    readings: DISTRESS,
  },
  {
    id: 'distress.trapped',
    level: 'mild',
    pattern:
      /\b(?:feel|feeling|felt|im|i am|completely|so) (?:\w+ )?(?:trapped|empty inside|dead inside|numb inside|like giving up)\b/g,
    readings: DISTRESS,
    unless: /\btrapped in (?:the|a) (?:lift|elevator|room|traffic|lab)\b/,
  },
  {
    id: 'distress.disappear',
    level: 'mild',
    pattern:
      /\b(?:want|wanted|wish|need|like) to (?:\w+ )?(?:disappear|vanish|give up|be gone|not be here)\b(?! (?:into|in|my|the|on|for)\b)/g,
    readings: DISTRESS,
  },
]
