import { HARMLESS_MEANS } from './harmless.ts'
import { type ComposedRule, EXPLICIT } from './rule.ts'

const DARK =
  'DEATH|DIE|END_IT|GONE|tonight|myself|me|case|courage|brave|enough|ready|out|over|last|stop|escape|end|hurt|nerve|goodbye|waiting|thinking|plan|day|right|just|guts|option|strength|comfort|safe|use'

/** Having, counting, watching or taking what can kill. */
export const MEANS_RULES_COMPOSED: readonly ComposedRule[] = [
  {
    id: 'means.pills',
    level: 'high',
    patterns: [
      'TAKE ..3 MANY ..3 PILLS',
      'INTEND|WISH|PLAN|THINK|NOW ..2 TAKE ..2 all|them|everything|whole|every|too ..2 PILLS|packet|bottle|all|many|box|at|pack|of|lot',
      `HAVE ..5 PILLS ..7 ${DARK}`,
      'saving|saved|save|hoard|hoarding|hoarded|collect|collecting|collected|stash|stashed|stashing|stockpile|stockpiling|stockpiled|hid|hiding|hide|hidden|counted|counting|count|lined|gathered|gathering|skipping ..5 PILLS|meds',
      'stash|pile|hoard|collection|fistful|handful|drawer|jar|stockpile|row|rows|mountain ..3 of|full ..2 PILLS',
      'enough ..3 PILLS|drugs|insulin|medication',
      'PILLS ..6 DEATH|END_IT|GONE|finish|lethal|counted|counting',
      'sleeping|all|many|whole|every|leftover ..2 pills|tablets|meds|capsules',
      'PILLS ..3 would|could|can|will ..2 kill|finish|stop|do|end|work',
      'counting|count|counted|lined|hoarding ..1 them ..3',
      'HAVE ..2 MANY ..2 PILLS',
      'stopped|stop|skipping|refusing|skip|quit ..2 taking|my|take ..2 insulin|medication|meds|medicine ..4 purpose|die|deliberately|so|hoping|hope|because',
      'overdose|overdosed|overdosing|odd|overdoses',
    ],
    readings: { ...EXPLICIT, past: 'moderate' },
    unless: HARMLESS_MEANS,
  },
  {
    id: 'means.thing',
    level: 'high',
    patterns: [
      `HAVE ..6 LETHAL_THING ..8 ${DARK}`,
      'HAVE ..4 STRONG_THING',
      'STRONG_THING ..4 NEG ..1 locked',
      'STRONG_THING ..6 know|where|reach|access|loaded|close|key|unlocked',
      'i|ive ..3 keep|keeping|hid|hidden|bought|ordered|carry|took|stole|stolen|hide|found ..3 rope|gun|razors|blade|blades|razor|noose|knife|cord|scalpel|ammo|bullets',
      'LETHAL_THING ..6 DEATH|END_IT|GONE',
      'THINK|staring|looking|stare|look|eyeing|drawn|touching|watching ..5 LETHAL_THING ..6 DEATH|END_IT|myself|me|my|using|hours|pointing|night|how|every',
      'LETHAL_THING ..6 THINK',
      'use|using|used|try|trying ..3 LETHAL_THING|it|them ..2 on ..1 MYSELF|me|my',
      'round|around|against|to my neck|temple|throat',
      'cord|belt|scarf|rope|sheet|cable|wire ..5 door|hook|beam|ceiling|neck|tight|around|wardrobe|rail|branch',
      'pointing|point|pointed|aim|aiming|aimed ..2 my ..1 head|temple|chin|chest|mouth|throat',
      'dads|mums|moms|grandads|granddads|grandmas|nans|uncles|roommates|fathers|mothers|RELATIVE ..2 gun|rifle|pistol|shotgun|insulin|morphine|pills|tablets|medication|meds ..10 i|ive|me|my|im',
      'i ..2 know where ..6 PILLS|LETHAL_THING|key|keys',
      'THINK|RESOLVE ..3 drowning|hanging|overdosing|hypothermia|suffocation|suffocating|electrocution|poisoning',
      'noose|ligature',
      'tie|tied|tying|hang|hung|put|fixed|attach|attached|bought|got|made|set|learned|learning|practise|practising|practicing ..3 rope|cord|belt|scarf|sheet|sheets|bedsheet ..8',
      'bought|buy|ordered|got|found|stole|have ..2 rope',
      'something|stuff|thing|kit|package|parcel|powder ..7 kills|kill ..1 you|me|people',
      'veins|arteries|artery|jugular',
      'open|opening|slit|slitting|cut|slash|slashing|cutting ..2 veins|wrists|wrist|throat|arteries|vein',
      'car|engine|garage ..4 exhaust|fumes|hose|running|monoxide|garage',
    ],
    readings: EXPLICIT,
    unless: HARMLESS_MEANS,
  },
]
