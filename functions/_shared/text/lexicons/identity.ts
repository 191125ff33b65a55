import { entries } from '../lexicon.ts'

/** Words for who somebody is: never emotional, never a reason to score, neutral to the sentiment reader. */
export const IDENTITY_WORDS: ReadonlySet<string> = new Set(
  entries(`
    aboriginal, adhd, adopted, african, agnostic, amputee, arab, asexual, asian, atheist, autism, autistic,
    bi, bipolar, bisexual, black, blacks, blind, boy, brown, buddhism, buddhist, catholic, chinese,
    christian, christianity, christians, cisgender, deaf, diabetic, disability, disabled, divorced,
    dyslexia, dyslexic, elderly, epileptic, fat, female, feminine, foreign, foreigner, gay, gays,
    genderfluid, genderqueer, girl, gypsy, hijab, hijabi, hindu, hinduism, hindus, hispanic, homeless,
    immigrant, immigrants, indian, indigenous, international, intersex, iranian, islam, islamic, israeli,
    japanese, jew, jewish, jews, judaism, kippah, korean, latina, latino, latinx, lesbian, lesbians, lgbt,
    lgbtq, male, man, masculine, men, mexican, migrant, migrants, mormon, muslim, muslims, native,
    neurodivergent, nigerian, non-binary, nonbinary, obese, old, orphan, orthodox, overweight, pakistani,
    palestinian, pansexual, paralysed, paralyzed, polish, poor, pregnant, privileged, protestant, queer,
    refugee, refugees, rich, roma, romani, russian, schizophrenia, schizophrenic, sikh, sikhism, sikhs,
    skinny, straight, stutter, stutterer, stuttering, syrian, trans, transgender, transsexual, turban,
    turkish, ukrainian, undocumented, unemployed, veteran, wealthy, wheelchair, white, whites, widow,
    widowed, woman, women, young
  `),
)

/** Words of belief that general lexicons rate as good: believers and others are read alike. */
export const BELIEF_WORDS: ReadonlySet<string> = new Set(
  entries(`
    divine, faith, god, goddess, heaven, holiness, holy, sacred, saint, worship
  `),
)
