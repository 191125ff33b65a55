/** What speech recognition and typing on a phone write for words of a crisis that sound alike. */
const HEARD: ReadonlyArray<readonly [RegExp, string]> = [
  [/(?<= )(?:sue|sew|soo|su|sewer|so) (?:a )?(?:aside|side|cide|sides|slide)(?= )/g, 'suicide'],
  [/(?<= )(?:sue|sew|soo|su) (?:a )?(?:sidal|cidal|idle|sidle|side all)(?= )/g, 'suicidal'],
  [/(?<= )(?:oh deed|oh dee d|o deed|od ed|o d ed)(?= )/g, 'overdosed'],
  [/(?<= )(?:oh dee|o d|owe dee|over dose|over doze)(?= )/g, 'overdose'],
  [/(?<= )over (?:dosed|dozed)(?= )/g, 'overdosed'],
  [
    /(?<= (?:kill|cut|hurt|harm|killing|cutting|hurting|harming) )(?:my cells?|my shelf|me self|my elf)(?= )/g,
    'myself',
  ],
  [/(?<= )(?:self|cell) (?:arm|arms|farm|harmony)(?= )/g, 'self harm'],
  [/(?<= )(?:self|cell) (?:arming|farming|charming)(?= )/g, 'self harming'],
  [/(?<= )(?:slip|slid|slits|sleet) my (?:wrists?|rests|risks)(?= )/g, 'slit my wrists'],
  [/(?<= (?:slit|cut|cutting) my )(?:rests|risks|wrist s|rist s)(?= )/g, 'wrists'],
  [/(?<= )(?:nooze|newse|a news)(?= (?:around|for|ready|and my))/g, 'noose'],
  [
    /(?<= )(?:pair of|para|parra|paris|parry) (?:set a mole|seat a mole|cetamol|c ta mol|see tamol|set a mall)(?= )/g,
    'paracetamol',
  ],
  [/(?<= )(?:pain|pane) killers?(?= )/g, 'painkillers'],
  [
    /(?<= (?:want|wanted|going|ready|rather) )to (?:dye|day|di)(?= (?!(?:off|trip|drink|one|before|dream|my|her|his|their|the|it|eggs|hair)\b))/g,
    'to die',
  ],
  [/(?<= )to dye(?= (?!(?:my|her|his|their|the|it|eggs|hair)\b))/g, 'to die'],
  [/(?<= )(?:un alive|on alive|an alive)(?= )/g, 'unalive'],
  [/(?<= )(?:wraped|graped)(?= by )/g, 'raped'],
  [/(?<= )good by(?:e)?(?= )/g, 'goodbye'],
  [/(?<= )my self(?= )/g, 'myself'],
  [/(?<= )wont to(?= )/g, 'want to'],
  [/(?<= )beets me(?= )/g, 'beats me'],
]

/** A normalised text with what was misheard put right. */
export function asMeant(normalised: string): string {
  let text = ` ${normalised} `
  for (const [heard, meant] of HEARD) text = text.replace(heard, meant)
  return text.slice(1, -1)
}
