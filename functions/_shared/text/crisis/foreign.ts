import type { RiskLevel } from '../../risk-level.ts'
import { normalise } from './normalise.ts'

/**
 * Unmistakable phrases in languages that students are likely to speak. The only context that is read is a negation
 * right before: this catches the plainest words and does not understand the language.
 */
const PHRASES: ReadonlyArray<{ language: string; level: RiskLevel; phrases: readonly string[] }> = [
  {
    language: 'es',
    level: 'high',
    phrases: [
      'quiero morir',
      'quiero morirme',
      'quiero matarme',
      'me quiero matar',
      'me quiero morir',
      'me quiero suicidar',
      'quiero suicidarme',
      'suicidarme',
      'quitarme la vida',
      'acabar con mi vida',
      'ya no quiero vivir',
      'no quiero vivir',
    ],
  },
  {
    language: 'fr',
    level: 'high',
    phrases: [
      'je veux mourir',
      'envie de mourir',
      'me suicider',
      'pense au suicide',
      'penser au suicide',
      'idées suicidaires',
      'vais me tuer',
      'veux me tuer',
      'mettre fin à mes jours',
      'en finir avec la vie',
      'en finir avec ma vie',
      'plus envie de vivre',
      'veux plus vivre',
    ],
  },
  {
    language: 'de',
    level: 'high',
    phrases: [
      'ich will sterben',
      'möchte sterben',
      'will nicht mehr leben',
      'möchte nicht mehr leben',
      'mich umbringen',
      'bringe mich um',
      'selbstmord',
      'suizid',
      'mir das leben nehmen',
    ],
  },
  {
    language: 'pt',
    level: 'high',
    phrases: [
      'quero morrer',
      'quero me matar',
      'vou me matar',
      'tirar minha vida',
      'tirar a minha vida',
      'não quero mais viver',
      'não quero viver',
      'suicídio',
    ],
  },
  {
    language: 'it',
    level: 'high',
    phrases: [
      'voglio morire',
      'uccidermi',
      'suicidarmi',
      'ammazzarmi',
      'farla finita',
      'non voglio più vivere',
    ],
  },
  {
    language: 'nl',
    level: 'high',
    phrases: ['ik wil dood', 'wil niet meer leven', 'zelfmoord', 'mezelf van kant maken'],
  },
  {
    language: 'pl',
    level: 'high',
    phrases: [
      'chcę umrzeć',
      'chcę się zabić',
      'zabić się',
      'samobójstwo',
      'nie chcę żyć',
      'nie chce mi się żyć',
    ],
  },
  {
    language: 'tr',
    level: 'high',
    phrases: ['ölmek istiyorum', 'intihar', 'kendimi öldürmek', 'yaşamak istemiyorum'],
  },
  { language: 'sv', level: 'high', phrases: ['jag vill dö', 'ta livet av mig', 'ta mitt liv', 'självmord'] },
  { language: 'id', level: 'high', phrases: ['ingin mati', 'mau mati', 'bunuh diri'] },
  { language: 'tl', level: 'high', phrases: ['gusto ko nang mamatay', 'gusto kong mamatay', 'magpakamatay'] },
  { language: 'vi', level: 'high', phrases: ['muốn chết', 'tự tử', 'tự sát'] },
  {
    language: 'hi',
    level: 'high',
    phrases: ['मरना चाहता', 'मरना चाहती', 'आत्महत्या', 'marna chahta', 'marna chahti', 'khudkushi'],
  },
  { language: 'ur', level: 'high', phrases: ['خودکشی', 'مرنا چاہتا', 'مرنا چاہتی'] },
  {
    language: 'ar',
    level: 'high',
    phrases: ['أريد أن أموت', 'اريد ان اموت', 'انتحار', 'أقتل نفسي', 'اقتل نفسي'],
  },
  { language: 'fa', level: 'high', phrases: ['می‌خواهم بمیرم', 'میخوام بمیرم', 'خودکشی'] },
  {
    language: 'ru',
    level: 'high',
    phrases: ['хочу умереть', 'самоубийство', 'убить себя', 'покончить с собой', 'не хочу жить'],
  },
  { language: 'uk', level: 'high', phrases: ['хочу померти', 'самогубство', 'вбити себе', 'не хочу жити'] },
  { language: 'zh', level: 'high', phrases: ['自杀', '自殺', '想死', '不想活', '轻生', '輕生', '结束生命'] },
  { language: 'ja', level: 'high', phrases: ['死にたい', '自殺', '消えたい', '生きたくない'] },
  { language: 'ko', level: 'high', phrases: ['죽고 싶', '자살', '살기 싫'] },
  { language: 'bn', level: 'high', phrases: ['মরতে চাই', 'আত্মহত্যা'] },
  { language: 'sw', level: 'high', phrases: ['nataka kufa', 'kujiua'] },
]

type ForeignPhrase = { rule: string; level: RiskLevel; phrase: string }

/** Every phrase in normalised form; scripts that put spaces between words match whole words only. */
export const FOREIGN_PHRASES: readonly ForeignPhrase[] = PHRASES.flatMap(({ language, level, phrases }) =>
  phrases.map((phrase) => {
    const form = normalise(phrase)
    const spaced = /^[\p{Script=Latin}\p{Script=Cyrillic}\s]+$/u.test(form)
    return { rule: `foreign.${language}`, level, phrase: spaced ? ` ${form} ` : form }
  }),
)

/** "I do not…" right before the phrase, in the languages above. */
export const FOREIGN_NEGATION =
  /(?:^| )(?:no|nunca|ne|pas|nicht|nie|nao|jamais|non|niet|inte|не|tidak|không|khong) $/
