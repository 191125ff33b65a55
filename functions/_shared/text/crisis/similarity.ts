import { IDENTITY_WORDS } from '../lexicons/identity.ts'
import type { RuleMatch } from './matches.ts'
import { BIAS, SCALE, WEIGHTS } from './similarity-weights.ts'
import type { Token } from './tokens.ts'

const DECODED = decoded(WEIGHTS)

/** A loop, because `Int8Array.from` takes ten times as long, and every worker that reads text starts with this. */
function decoded(base64: string): Int8Array {
  const bytes = atob(base64)
  const weights = new Int8Array(bytes.length)
  for (let i = 0; i < weights.length; i++) weights[i] = bytes.charCodeAt(i)
  return weights
}

/**
 * How similar a window of text is to sentences of a crisis rather than ordinary ones, as the log-odds of a logistic
 * regression (see `test/fixtures/crisis/train.ts`); 0 is undecided.
 */
export function similarity(tokens: readonly Token[], matches: readonly RuleMatch[]): number {
  const features = featuresOf(tokens, matches)
  let sum = 0
  for (const bucket of features) sum += DECODED[bucket] ?? 0
  return BIAS + (sum * SCALE) / Math.sqrt(features.size)
}

/** Number of weights; features share one when their hashes fall together. */
export const BUCKETS = 1 << 18

const EDGE = '|'
const LETTERS = 4

/**
 * What the score of a window is made of, by name: its words, pairs of words next to each other or one apart,
 * runs of four letters (which survive misspelling), the classes of words of the rules and of everyday domains, and the
 * rules found in it with the level that their context left them. Each is counted once. The weights belong to hashes of
 * these names: changing one (`!fixed` says literal rule, `!loose` pattern rule) takes training again.
 */
export function* featureNames(tokens: readonly Token[], matches: readonly RuleMatch[]): Generator<string> {
  for (let i = -1; i <= tokens.length; i++) {
    const word = wordAt(tokens, i)
    if (word !== WHO) yield word
    if (i < tokens.length) yield `${word} ${wordAt(tokens, i + 1)}`
    if (i + 1 < tokens.length) yield `${word} _ ${wordAt(tokens, i + 2)}`
    const token = tokens[i]
    if (token === undefined || word === WHO) continue
    yield* letterRuns(word)
    for (const domain of DOMAINS_OF.get(token.word) ?? DOMAINS_OF.get(token.word.replace(/s$/, '')) ?? []) {
      yield `@${domain}`
    }
    for (const name of token.spans.keys()) {
      if (!isClass(name)) continue
      yield `#${name}`
      yield `#${name} ${wordAt(tokens, i + 1)}`
      yield `${wordAt(tokens, i - 1)} #${name}`
    }
  }
  if (matches.length === 0) yield '!'
  for (const { rule, level, wording } of matches) {
    yield wording === undefined ? `!fixed:${level}` : `!loose:${level}`
    yield `!${rule}:${level}`
    if (wording !== undefined) yield `!${rule}.${wording}:${level}`
  }
}

/** The buckets of the features of a window, each once. */
export function featuresOf(tokens: readonly Token[], matches: readonly RuleMatch[]): ReadonlySet<number> {
  const buckets = new Set<number>()
  for (const name of featureNames(tokens, matches)) buckets.add(bucketOf(name))
  return buckets
}

/** FNV-1a over UTF-16 units, folded into the number of buckets. */
export function bucketOf(name: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193)
  return ((hash >>> 15) ^ hash) & (BUCKETS - 1)
}

function wordAt(tokens: readonly Token[], at: number): string {
  const word = tokens[at]?.word
  return word === undefined ? EDGE : weighedAs(word)
}

function* letterRuns(word: string): Generator<string> {
  const edged = `<${word}>`
  for (let i = 0; i + LETTERS <= edged.length; i++) yield `~${edged.slice(i, i + LETTERS)}`
}

/** Classes are in capitals; every word is also a span of itself. */
function isClass(name: string): boolean {
  return name >= 'A' && name < '['
}

/** Everyday matters that explain words of death, leaving or hurting, by their words. */
const DOMAINS: Readonly<Record<string, string>> = {
  study:
    'assignment biology campus chapter chemistry class classes coding college course coursework credits deadline dean degree department dissertation draft economics engineering essay exam faculty field finals freshers grade grades graduate graduation history homework internship lab labs law lecture lecturer lesson lessons library major marks math maths midterm midterms minor module notes paper philosophy physics placement powerpoint presentation professor programming project psychology quiz reading resit result results revise revision scholarship school semester seminar slides sociology spreadsheet statistics stats student students studied study studying supervisor teacher term test textbook thesis timetable tutor tutorial uni university viva workshop year',
  sport:
    'athletics badminton basketball bike boxing camogie captain climbing coach cox cricket cycling dodgeball final finals football game goal goalkeeper goals gym hike hiking hockey hurling judo karate lacrosse league leg legday marathon match medal netball pilates pitch practice race referee rowing rugby run running skating skiing sparring spin squad squash surf swim swimming team tennis tournament training volleyball workout wrestling yoga',
  play: 'avatar boss campaign cards character chess console controller crossword dice dnd dungeon fortnite game games gaming jigsaw level mario minecraft monopoly player playstation poker pub puzzle quest quiz raid respawn sims xbox',
  story:
    'actor actress album anime article audition author band book camus chapter character comic detective director documentary drama episode fiction film hamlet headline heroine joke juliet line lyric lyrics macbeth manga meme movie musical mystery myth myths narrator netflix novel opera ophelia plath play podcast poem poet poetry poster protagonist quote quoted rehearsal rehearsals romeo scene script season series shakespeare show slide slides soap song stage stories story theatre thriller tshirt villain woolf writer',
  food: 'bake baked baking banana beer biscuit biscuits bread breakfast burger cafe cake canteen cereal cheese chicken chips chocolate coffee cook cooked cooking cream crisps curry dal dinner food garlic hungry ice jollof kitchen lentils lunch meal noodles onions oven pasta pie pint pints pizza pub ramen recipe restaurant rice samosa sandwich snack snacks soup tea toast vegetables wine',
  home: 'bins cat cleaned cleaning dishes dog flat flatmate flatmates fridge furniture garden hamster heating house housemate housemates kettle keys kitten lamp landlord laundry lease mice mouse neighbour neighbours plant plants puppy rent room roommate sofa wardrobe washing',
  family:
    'aunt auntie baby birthday brother brothers cousin cousins dad family gran grandad grandma granny mam mom mum nan nana nephew niece parents sister sisters uncle wedding',
  travel:
    'abroad airport beach berlin bus camping ferry festival flight holiday holidays hostel hotel paris passport plane platform rome sea spain station suitcase summer tent ticket tickets tour train tram travel travelling trip vacation visa weekend',
  technology:
    'account app battery bug charger cloud code computer email emails file instagram laptop password passwords phone printer router screen server spotify subscription tiktok video videos wifi youtube',
  health:
    'antibiotics appendix asthma chemist cold cough counsellor cramps dentist doctor exercises fever flu gp hay headache hospital inhaler migraine nurse operation period pharmacy physio prescription surgery therapist therapy vitamins',
  joy: 'beautiful best brilliant celebrate class cosy decent delighted enjoy enjoyed excited fantastic fun funny glad good gorgeous grand great happy hilarious laugh laughed laughing love loved lovely nice proud thriving win won',
  joke: 'ha haha hahaha hehe honestly joke joking kidding literally lmao lol ngl',
  work: 'bar boss café colleague interview job manager meeting meetings office salon shift shifts warehouse work working',
  ache: 'ankle back blister bruise calves cut feet knee legs muscle plaster shoulder sore stitches wrist',
}

/** The domains of a word. */
const DOMAINS_OF: ReadonlyMap<string, readonly string[]> = byWord()

function byWord(): ReadonlyMap<string, readonly string[]> {
  const domains = new Map<string, string[]>()
  for (const [name, words] of Object.entries(DOMAINS)) {
    for (const word of words.split(' ')) domains.set(word, [...(domains.get(word) ?? []), name])
  }
  return domains
}

/** Identity words that are mostly said of something else ("an old flat", "straight away", "this guy"). */
const EVERYDAY = new Set(
  'adopted boy brown fat girl international man men native old poor rich straight woman women young'.split(
    ' ',
  ),
)

/** Stands for every word of who somebody is, so that none of them weighs anything of its own. */
const WHO = '&'

/** The word that a word is weighed as. */
function weighedAs(word: string): string {
  return IDENTITY_WORDS.has(word) && !EVERYDAY.has(word) ? WHO : word
}
