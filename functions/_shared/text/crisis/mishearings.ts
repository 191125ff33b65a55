import { everyMatch, pattern } from '../../pattern.ts'

/** Words after which a mishearing is likely. */
const AFTER_THOUGHTS_OF = pattern`
  (?<= (?:
    commit\w*|thoughts?|thinking|think|thought|consider\w*|contemplat\w*|attempt\w*|tried|plan\w*
    |googl\w*|die|died|want
  ) (?:(?:about|of|to|by|commit|a) ){0,2}\w+ (?:a )?\w+
  )
`

/** Words with self- that name something else. */
const SELF_COMPOUNDS = pattern`
  (?:
    esteem|confidence|image|worth|respect|doubt|belief|discipline|control|study|care|help|assessment
    |employed|isolation|portrait|talk|pity|awareness|reflection|evaluation|harm\w*|injur\w*
  )
`

/** Where a clause may end: words that go on with what came before ("to dye a shirt", "to day care") mean something else. */
const CLAUSE_END = pattern` (?:
  \.|$
  |(?:
    and|but|so|because|cos|i|im|tonight|now|right|anymore|already|please|today|tomorrow|last|every
    |alone|when|until|honestly|again|open|deep
  )(?= |$)
)`

/** Of a laboratory, where an OD is an optical density. */
const OF_A_LAB =
  'cultures?|cuvettes?|spectro\\w*|nm|bacteri\\w*|absorbance|optical|samples?|dilut\\w*|assay|lab|wavelength|induced?|broth'
const LAB = `\\b(?:${OF_A_LAB})\\b`
/** Where cells are killed, too. */
const OF_CELLS = `\\b(?:${OF_A_LAB}|experiments?|incubator|chemo|supervisor|drug|media)\\b`

/** What speech recognition and typing on a phone write for words of a crisis that sound alike. */
const HEARD: ReadonlyArray<readonly [RegExp, string]> = [
  [/(?<= )(?:sue|sew|soo|su|sewer) (?:a )?cide(?= )/g, 'suicide'],
  // "Sue sides with him" and "so, aside from that" are no mishearing: somebody has to think of it or do it.
  [
    everyMatch`
      (?<= )(?:sue|sew|soo|su|sewer) (?:a )?(?:aside|side|sides|slide)(?= )${AFTER_THOUGHTS_OF}
    `,
    'suicide',
  ],
  [/(?<= (?:commit|committing|commited|committed) )so (?:a )?(?:aside|side|cide)(?= )/g, 'suicide'],
  [/(?<= )(?:sue|sew|soo|su) (?:a )?(?:sidal|cidal|idle|sidle|side all)(?= )/g, 'suicidal'],
  [/(?<= )(?:oh deed|oh dee d|o deed|od ed|o d ed)(?= )/g, 'overdosed'],
  [/(?<= )(?:oh dee|o d|owe dee|over dose|over doze)(?= )/g, 'overdose'],
  // Not the optical density of a culture, nor the Slavic "from".
  [
    everyMatch`
      (?<= )od(?<!${LAB}.{0,60} od)(?= (?:
        \.|$
        |(?:
          on|again|last|tonight|today|tomorrow|yesterday|this|that|in|when|with|and|but|because|if|or
          |attempts?|before|so|at|as|twice|once|by|the|was|is|from|i|he|she|they|my|me|every|right|now
        )(?= |$)
      )
      )(?! (?:was|is|at) \d)(?!.{0,60}${LAB})
    `,
    'overdose',
  ],
  [
    /(?<= (?:i|ive) )(?:odd|oded)(?<! (?:am|are|was) i odd)(?= (?:on|last|again|yesterday|this|when|twice|once))/g,
    'overdosed',
  ],
  [/(?<= )over (?:dosed|dozed)(?= )/g, 'overdosed'],
  // Where children are: in two words it sounds like dying and care.
  [/(?<= )day care(?= )/g, 'daycare'],
  [
    everyMatch`
      (?<= (?:kill|cut|hurt|harm|killing|cutting|hurting|harming) )
      (?:my cells?|my shelf|me self|my elf)(?=${CLAUSE_END})(?<!${OF_CELLS}.{0,80})
      (?!.{0,60}${OF_CELLS})
    `,
    'myself',
  ],
  [/(?<= )(?:self|cell) (?:arm|arms|farm|harmony)(?= )/g, 'self harm'],
  [/(?<= )(?:self|cell) (?:arming|farming|charming)(?= )/g, 'self harming'],
  [/(?<= )(?:slip|slid|slits|sleet) my (?:wrists?|rests|risks)(?= )/g, 'slit my wrists'],
  [/(?<= (?:slit|cut|cutting) my )(?:wrist s|rist s)(?= )/g, 'wrists'],
  [new RegExp(`(?<= (?:slit|cut|cutting) my )(?:rests|risks)(?=${CLAUSE_END})`, 'g'), 'wrists'],
  [/(?<= )(?:nooze|newse)(?= (?:around|for|ready|and my))|(?<= )a news(?= around my neck)/g, 'noose'],
  [
    /(?<= )(?:pair of|para|parra|paris|parry) (?:set a mole|seat a mole|cetamol|c ta mol|see tamol|set a mall)(?= )/g,
    'paracetamol',
  ],
  [/(?<= )(?:pain|pane) killers?(?= )/g, 'painkillers'],
  [new RegExp(`(?<= (?:want|wanted|ready|rather) )to (?:day|di)(?=${CLAUSE_END})`, 'g'), 'to die'],
  [
    new RegExp(
      `(?<= )to dye(?=${CLAUSE_END})(?<!\\b(?:hair|shirt|jumper|wool|yarn|fabric|cloth|cotton|jeans|roots|brows|lashes|eggs|colou?r).{0,60} dye)`,
      'g',
    ),
    'to die',
  ],
  [/(?<= )un alive(?= )|(?<= (?:to|gonna|will|ill|might) )(?:on|an) alive(?= )/g, 'unalive'],
  [/(?<= )(?:wraped|graped)(?= by )/g, 'raped'],
  [/(?<= )good bye(?= )|(?<= (?:say|said|saying|my|final|last) )good by(?= )/g, 'goodbye'],
  [everyMatch`(?<= )my self(?= (?!${SELF_COMPOUNDS}\b))`, 'myself'],
  [/(?<= )wont to(?= )/g, 'want to'],
  [/(?<= )beets me(?= )/g, 'beats me'],
]

/** A normalised text with what was misheard put right. */
export function asMeant(normalised: string): string {
  let text = ` ${normalised} `
  for (const [heard, meant] of HEARD) text = text.replace(heard, meant)
  return text.slice(1, -1)
}
