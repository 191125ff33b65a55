import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { analyzeText } from '../../../functions/_shared/text/analyze.ts'
import { detectCrisis } from '../../../functions/_shared/text/crisis/detect.ts'
import { FOREIGN_LANGUAGES } from '../../../functions/_shared/text/crisis/foreign.ts'

const EMERGENCIES: ReadonlyArray<readonly [string, string]> = [
  ['de', 'Ich bringe mich heute Abend um.'],
  ['de', 'Ich habe keine Kraft mehr, ich will einfach nur noch sterben.'],
  ['de', 'Manchmal denke ich, dass ich mich umbringen werde.'],
  ['de', 'Morgen nehme ich mir das Leben.'],
  ['fr', 'J’ai envie d’en finir.'],
  ['fr', "j'ai plus envie de vivre"],
  ['fr', 'Je ne veux plus vivre comme ça.'],
  ['es', 'La verdad es que me quiero morir.'],
  ['es', 'ya no tengo ganas de vivir más'],
  ['it', 'Ho preso tutte le pastiglie.'],
  ['nl', 'Ik wil er een eind aan maken.'],
  ['pl', 'Nie chcę już żyć.'],
  ['pt', 'Eu não quero mais viver.'],
  ['sv', 'Jag vill inte leva längre.'],
  ['ru', 'Я больше не хочу жить.'],
  ['zh', '我真的不想活了'],
  ['ja', 'もう死にたいです'],
  ['ko', '죽고 싶어요'],
  ['ar', 'أريد أن أموت'],
  ['hi', 'मैं मरना चाहती हूँ'],
  ['it', 'Mi voglio ammazzare'],
  ['it', 'Ho ingoiato tutte le pastiglie ieri sera'],
  ['es', 'No aguanto más vivir así'],
  ['pt', 'Não aguento mais viver'],
  ['fr', 'J’ai avalé toute la boîte de somnifères'],
  ['de', 'Ich habe eine ganze Packung Schlaftabletten geschluckt'],
  ['zh', '我吃了一整瓶安眠药'],
  ['zh', '我想从楼上跳下去'],
  ['ru', 'Я наглоталась таблеток'],
  ['ru', 'Я выпила всю упаковку таблеток'],
]

describe('emergency phrases of other languages', () => {
  test.each(EMERGENCIES)('%s: %s', (language, text) => {
    expect(detectCrisis(text)).toMatchObject({ level: 'high' })
    expect(analyzeText(text).quality.language, language).not.toBe('en')
  })

  test.each([
    'Ich will nicht sterben, ich bin nur müde.',
    'Je vais bien, j’ai mangé avec mes amis.',
    'Hoy fui a la universidad y no quiero estudiar.',
    'Das Essen war gut, und morgen will ich lange schlafen.',
    '今天我和朋友去了图书馆。',
    '我吃了一整瓶酸奶',
    'Я выпила таблетку от головной боли и легла спать',
    'Não aguento mais estudar para esta prova',
    'Ho preso una pastiglia per il mal di testa',
  ])('are not found in: %s', (text) => {
    expect(['none', 'mild']).toContain(detectCrisis(text).level)
  })
})

/** By language: words of a crisis, and of everyday life or a denial that are much like them. */
const TWINS: Readonly<Record<string, { crisis: readonly string[]; harmless: readonly string[] }>> = {
  de: {
    crisis: [
      'Ich will mich nach der Prüfung am Freitag umbringen',
      'ich bringe mich morgen nach der vorlesung um',
      'Ich nehme mir morgen nach der Klausur das Leben',
      'Ich habe beschlossen, dass ich mich am Freitag umbringe',
      'Ich werde meinem Leben am Samstag ein Ende setzen',
      'Heute Abend werfe ich mich vor den Zug',
      'Ich kann nicht mehr, ich will nicht reden, ich will sterben',
      'Ich kann nicht schlafen und will mich umbringen',
      'mein vater schlägt mich',
      'Ich habe alle Tabletten genommen',
      'Ich schneide mir in die Arme',
    ],
    harmless: [
      'Ich bringe mich nicht um',
      'Ich habe nie daran gedacht mich umzubringen',
      'Ich will mich nach der Prüfung nicht umbringen',
      'Umbringen will ich mich nicht',
      'Ich bringe mich um 8 Uhr in die Uni',
      'Ich will meine Oma besuchen, bevor sie sterben muss',
      'Mein Bruder schlägt mich immer im Schach',
      'Ich habe zwei Tabletten gegen Kopfschmerzen genommen',
      'Ich schneide mir die Haare',
    ],
  },
  fr: {
    crisis: [
      "j'ai décidé d'en finir samedi",
      'je veux en finir avec la vie',
      'je ne veux plus que mourir',
      'mon copain me frappe',
      'mes parents me frappent',
      "j'ai avalé toute une plaquette de doliprane",
      'je me coupe les bras',
      'je me coupe',
    ],
    harmless: [
      'je veux en finir avec ce chapitre',
      "je n'ai jamais pensé à me tuer",
      'je ne veux pas mourir',
      "ce film m'a frappé",
      'mon frère me bat aux échecs',
      "J'ai pris trois comprimés de doliprane",
      'je me coupe les ongles',
      'je vais mourir de rire',
    ],
  },
  es: {
    crisis: [
      'estoy pensando en matarme',
      'pienso matarme el viernes',
      'me acabo de tomar un bote entero de pastillas',
      'No, quiero morirme',
      'No puedo más, me quiero morir',
      'mi padre me pega cada noche',
      'me corto los brazos',
    ],
    harmless: [
      'nunca he pensado en suicidarme',
      'no me quiero matar',
      'quiero morirme de risa',
      'me pega mucho el sol',
      'mi padre me pega un abrazo',
      'me corto el pelo mañana',
      'Me tomé dos pastillas para el dolor de cabeza',
    ],
  },
  it: {
    crisis: [
      'ho deciso di farla finita sabato',
      'sto pensando di uccidermi',
      'mi taglio le braccia',
      'ho preso venti pastiglie',
      'il mio ragazzo mi ha picchiata ieri',
    ],
    harmless: [
      'non ho mai pensato al suicidio',
      'voglio farla finita con questo esame',
      'mi taglio i capelli',
      'ho preso due pastiglie per il mal di testa',
      'mi ammazzo di studio',
    ],
  },
  pt: {
    crisis: [
      'Estou pensando em me matar na sexta',
      'tomei uma caixa inteira de remédios',
      'meu namorado me bate',
    ],
    harmless: [
      'nunca pensei em suicídio',
      'tomei dois comprimidos para dor de cabeça',
      'vou me matar de estudar',
      'me corto o cabelo',
    ],
  },
  nl: {
    crisis: [
      'ik maak er vrijdag een einde aan',
      'ik wil mezelf morgen na het tentamen van kant maken',
      'mijn vader slaat me',
      'ik heb alle pillen geslikt',
    ],
    harmless: [
      'ik wil niet dood',
      'Ik heb nooit aan zelfmoord gedacht',
      'ik wil niet dat mijn hond dood gaat',
      'ik heb twee paracetamol genomen',
    ],
  },
  pl: {
    crisis: [
      'Chcę się w piątek po egzaminie zabić',
      'myślę o samobójstwie',
      'mój chłopak mnie bije',
      'połknęłam całe opakowanie tabletek',
    ],
    harmless: [
      'nigdy nie myślałam o samobójstwie',
      'nie chcę się zabić',
      'Mama mnie zabije',
      'wzięłam dwie tabletki na ból głowy',
    ],
  },
  cs: { crisis: ['chci se v pátek zabít'], harmless: ['nikdy jsem nemyslel na sebevraždu'] },
  sv: {
    crisis: ['jag tänker ta livet av mig på fredag', 'min pappa slår mig'],
    harmless: ['jag har aldrig tänkt på självmord'],
  },
  ro: { crisis: ['tata mă bate'], harmless: ['nu vreau să mă sinucid'] },
  hu: { crisis: ['apám megver'], harmless: ['soha nem gondoltam öngyilkosságra'] },
  el: { crisis: ['ο πατέρας μου με χτυπάει'], harmless: ['δεν θέλω να πεθάνω'] },
  tr: {
    crisis: [
      'kendimi yarın sınavdan sonra öldüreceğim',
      'babam beni dövüyor',
      'bir kutu hap içtim',
      'canıma kıyacağım',
    ],
    harmless: [
      'intihar etmeyi hiç düşünmedim',
      'kendimi öldürmek istemiyorum',
      'baş ağrısı için bir hap içtim',
    ],
  },
  ru: {
    crisis: [
      'хочу после экзамена в пятницу покончить с собой',
      'отец бьёт меня каждый вечер',
      'Я не сплю и хочу покончить с собой',
    ],
    harmless: [
      'я никогда не думала о самоубийстве',
      'я выпила две таблетки от головы',
      'хочу умереть со смеху',
    ],
  },
  uk: { crisis: ["батько мене б'є"], harmless: ['не хочу померти'] },
  zh: {
    crisis: [
      '我真的很想去死',
      '我已经写好遗书了',
      '他每天都打我',
      '我没有朋友，我想死',
      '我把整瓶安眠药都吃了',
    ],
    harmless: ['我不想死', '我没想过自杀', '我不想自杀', '我从来没有想过要自杀', '我想死你了', '他打我手机'],
  },
  ja: {
    crisis: ['自殺するつもりです', '父に毎日殴られています', '遺書を書きました', '眠れないし死にたい'],
    harmless: [
      '自殺したいとは思わない',
      '死にたいわけじゃない',
      '自殺は考えたことがない',
      '風邪薬を飲みました',
    ],
  },
  ko: {
    crisis: [
      '아빠가 매일 저를 때려요',
      '유서를 썼어요',
      '죽고 싶은 생각밖에 없어요',
      '수면제를 한 통 다 먹었어요',
    ],
    harmless: ['죽고 싶지 않아요', '자살 생각은 없어요', '죽고 싶은 건 아니에요', '두통약을 한 알 먹었어요'],
  },
  ar: {
    crisis: [
      'عايز أموت',
      'عايزة اموت',
      'أبي يضربني كل ليلة',
      'أفكر في الانتحار',
      'لا أستطيع النوم وأريد أن أموت',
    ],
    harmless: [
      'لا أريد أن أموت',
      'لم أفكر في الانتحار أبدا',
      'مش عايز أموت',
      'عايز أموت من الضحك',
      'أخذت حبة للصداع',
    ],
  },
  fa: { crisis: ['پدرم هر شب منو میزنه'], harmless: ['نمی‌خواهم بمیرم', 'به خودکشی فکر نمی‌کنم'] },
  hi: {
    crisis: ['मुझे मेरे पापा रोज़ मारते हैं', 'papa mujhe roz maarte hain', 'mujhe marna hai'],
    harmless: ['मैंने आत्महत्या के बारे में कभी नहीं सोचा', 'mujhe marna nahi hai', 'papa mujhe pyaar karte hain'],
  },
  ur: { crisis: ['مجھے ابو روز مارتے ہیں'], harmless: ['میں خودکشی نہیں کروں گا'] },
  bn: { crisis: ['আমি মরতে চাই'], harmless: ['আমি মরতে চাই না'] },
  vi: {
    crisis: ['bố đánh tôi mỗi ngày', 'tôi muốn tự tử'],
    harmless: ['tôi chưa bao giờ nghĩ đến tự tử', 'tôi đi từ từ thôi'],
  },
  id: {
    crisis: ['ayah saya memukul saya tiap malam'],
    harmless: ['saya tidak pernah berpikir untuk bunuh diri'],
  },
  tl: { crisis: ['sinasaktan ako ng tatay ko'], harmless: ['hindi ko naisip magpakamatay'] },
}

describe.each(Object.entries(TWINS))('in %s', (_, { crisis, harmless }) => {
  test.each(crisis)('a crisis is high: %s', (text) => {
    expect(detectCrisis(text).level).toBe('high')
  })

  test.each(harmless)('what is denied, literal or everyday is not: %s', (text) => {
    expect(['none', 'mild']).toContain(detectCrisis(text).level)
  })
})

test('the page on scoring names the languages whose phrases are known', async () => {
  const page = await readFile(new URL('../../../docs/scoring.md', import.meta.url), 'utf8')
  const names = new Intl.DisplayNames('en', { type: 'language' })
  const listed = FOREIGN_LANGUAGES.map((code) => names.of(code) ?? code)
  expect(listed.filter((name) => !page.includes(name))).toEqual([])
})

describe('a denial of the clause before denies nothing', () => {
  test.each([
    'je ne sais pas, je veux mourir',
    'je ne sais pas je veux mourir',
    'No sé, me quiero morir',
    'Ik slaap niet, ik wil dood',
    'Jag vet inte, jag vill dö',
    'ich schlafe nicht ich will sterben',
    'больше так не хочу, хочу умереть',
    'nie chcę, chcę umrzeć',
    'جینا نہیں چاہتا نہیں',
  ])('%s', (text) => {
    expect(detectCrisis(text).level).toBe('high')
  })
})

describe('harmless English beside another language is harmless', () => {
  test.each([
    'We had pasta and watched a film. Dzisiaj poszliśmy na spacer i jedliśmy lody z kolegami.',
    'We lost the match but it was fun. Mañana tengo que entregar un trabajo de historia.',
    'My flatmate made soup and it was nice. Caawa waxaan karinayaa bariis iyo hilib.',
    'I finished my essay. Od tygodnia dobrze śpię i od jutra mam wolne.',
    'I bought a lamp for my desk. Yarın annem geliyor, birlikte yemek yapacağız.',
    'Leo tulikwenda sokoni na rafiki zangu. I slept badly but I got up for the seminar.',
    'The seminar covered eigenvectors, Hamiltonians, phonons, Lagrangians and Bravais lattices.',
    'My dissertation is on phonotactics and suprasegmental morphology.',
  ])('%s', (text) => {
    expect(detectCrisis(text).level).toBe('none')
  })

  test('a crisis in English between sentences of another language is found', () => {
    const text =
      'Dzisiaj poszliśmy na spacer. I want to kill myself tonight and I have the pills. Jutro mam kolokwium z fizyki.'
    expect(detectCrisis(text).level).toBe('high')
    expect(detectCrisis('estoy tan cansado i want to die ya no puedo mas').level).toBe('high')
  })
})

test('text without Latin letters is not English, rather than empty', () => {
  expect(analyzeText('今天我和朋友去了图书馆。').quality).toMatchObject({ reason: 'not_english' })
  expect(analyzeText('…').quality).toMatchObject({ reason: 'empty' })
})
