import { describe, expect, test } from 'vitest'
import { analyzeText } from '../../../functions/_shared/text/analyze.ts'
import { read } from '../../../functions/_shared/text/document.ts'

/** "I am very tired today and do not want to go to class with my friends", more or less. */
const TIRED: Record<string, string> = {
  Danish: 'Jeg er meget træt i dag og har ikke lyst til at gå i skole med mine venner.',
  Norwegian: 'Jeg er veldig sliten i dag og har ikke lyst til å gå på skolen med vennene mine.',
  Swedish: 'Jag är väldigt trött idag och har ingen lust att gå till skolan med mina vänner.',
  Dutch: 'Ik ben vandaag heel moe en ik heb geen zin om met mijn vrienden naar de les te gaan.',
  Afrikaans: 'Ek is vandag baie moeg en ek wil nie saam met my vriende klas toe gaan nie.',
  Finnish: 'Olen tänään todella väsynyt enkä jaksa lähteä luennolle ystävieni kanssa.',
  Hungarian: 'Ma nagyon fáradt vagyok, és nincs kedvem bemenni az egyetemre a barátaimmal.',
  Polish: 'Dzisiaj jestem bardzo zmęczony i nie chce mi się iść na uczelnię z przyjaciółmi.',
  Czech: 'Dnes jsem velmi unavený a nechce se mi jít do školy s kamarády, protože jsem špatně spal.',
  Romanian: 'Astăzi sunt foarte obosit și nu am chef să merg la facultate cu prietenii mei.',
  Albanian: 'Sot jam shumë i lodhur dhe nuk kam dëshirë të shkoj në shkollë me miqtë e mi.',
  Lithuanian: 'Šiandien esu labai pavargęs ir nenoriu eiti į universitetą su draugais.',
  Catalan: 'Avui estic molt cansat i no tinc ganes d’anar a la universitat amb els meus amics.',
  Basque: 'Gaur oso nekatuta nago eta ez dut nire lagunekin eskolara joateko gogorik.',
  Welsh: 'Dw i wedi blino’n lân heddiw a dw i ddim eisiau mynd i’r brifysgol gyda fy ffrindiau.',
  Irish: 'Tá mé an-tuirseach inniu agus níl fonn orm dul ar scoil le mo chairde.',
  Indonesian: 'Hari ini saya sangat lelah dan tidak ingin pergi ke kampus bersama teman-teman saya.',
  Vietnamese: 'Hôm nay tôi rất mệt và không muốn đi học với bạn bè của tôi.',
  Tagalog: 'Pagod na pagod ako ngayon at ayaw kong pumasok sa eskwela kasama ang mga kaibigan ko.',
  Swahili: 'Leo nimechoka sana na sitaki kwenda chuoni na rafiki zangu kwa sababu sijalala.',
  Zulu: 'Namuhla ngikhathele kakhulu futhi angifuni ukuya esikoleni nabangani bami.',
  'Haitian Creole': 'Mwen fatige anpil jodi a e mwen pa anvi ale lekòl ak zanmi mwen yo.',
  'Hindi in Latin letters': 'Aaj main bahut thak gaya hoon aur mujhe college nahi jana hai yaar.',
  'Urdu in Latin letters': 'Mein aaj bohat udaas hoon aur mera dil nahi kar raha university jane ko.',
  Japanese: '今日はとても疲れていて、友達と授業に行きたくないです。',
  Korean: '오늘은 너무 피곤해서 친구들과 수업에 가기 싫어요.',
  Thai: 'วันนี้ฉันเหนื่อยมากและไม่อยากไปเรียนกับเพื่อน',
  Hebrew: 'אני עייף מאוד היום ולא רוצה ללכת לשיעור עם חברים',
  Persian: 'امروز خیلی خسته‌ام و نمی‌خواهم با دوستانم به کلاس بروم',
  Bengali: 'আজ আমি খুব ক্লান্ত এবং ক্লাসে যেতে চাই না',
  Tamil: 'இன்று நான் மிகவும் சோர்வாக இருக்கிறேன், வகுப்புக்குச் செல்ல விரும்பவில்லை',
  Greek: 'Σήμερα είμαι πολύ κουρασμένος και δεν θέλω να πάω στη σχολή',
  Ukrainian: 'Сьогодні я дуже втомився і не хочу йти на пари',
  Amharic: 'ዛሬ በጣም ደክሞኛል እና ወደ ትምህርት ቤት መሄድ አልፈልግም',
  Georgian: 'დღეს ძალიან დავიღალე და ლექციაზე წასვლა არ მინდა',
  Armenian: 'Այսօր ես շատ հոգնած եմ և չեմ ուզում գնալ դասի',
  Khmer: 'ថ្ងៃនេះខ្ញុំហត់ណាស់ ហើយមិនចង់ទៅរៀនទេ',
}

const readAs = (transcript: string) => analyzeText(transcript).quality.language
const isMeasured = (transcript: string) =>
  Object.values(analyzeText(transcript).features).some((value) => value !== null)

describe('a language other than English is recognised and not scored', () => {
  test.each(Object.entries(TIRED))('%s', (_, transcript) => {
    expect(analyzeText(transcript).quality).toMatchObject({
      language: 'other',
      score: 0,
      reason: 'not_english',
    })
    expect(isMeasured(transcript)).toBe(false)
    expect(analyzeText(transcript).themes).toEqual([])
  })

  test.each(Object.entries(TIRED))('%s at length', (_, transcript) => {
    expect(analyzeText(`${transcript} `.repeat(20)).quality).toMatchObject({
      language: 'other',
      reason: 'not_english',
    })
  })

  test.each([
    ['Croatian', 'Danas sam jako umoran i ne da mi se ići na fakultet s prijateljima.'],
    ['filler text', 'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor.'],
    ['nonsense', 'asdf qwer zxcv asdf qwer zxcv hjkl'],
    ['names', 'Kowalski Nguyen Okafor Fernandez Schmidt Yamamoto'],
    ['numbers', '12 34 56 78 90 11 12'],
  ])('%s is not taken for English', (_, transcript) => {
    expect(readAs(transcript)).not.toBe('en')
    expect(isMeasured(transcript)).toBe(false)
  })
})

test.each([
  'Finna head to class, my mate be stressing me out about that exam though.',
  'Honestly today was okay lah, my friends and I went makan after class.',
  'I am very tired today and I am thinking about my abuela a lot because she is in the hospital.',
  'so yeah i guess im just kinda tired and stuff you know',
])('English of many kinds is English: %s', (transcript) => {
  expect(readAs(transcript)).toBe('en')
})

describe('two languages in one text', () => {
  test.each([
    'I am so tired today porque no dormí nada and I have an exam tomorrow, ya no puedo más but my friends are helping me.',
    'I am so tired today 因为我昨天没睡好 and I have an exam tomorrow so I need to study.',
    'Yaar I am so stressed about the exam, matlab I studied but kuch yaad nahi rehta and I feel like I will fail.',
    'Hola. I am feeling fine today and I went to class with my friends and it was good.',
  ])('are English where English is in the majority: %s', (transcript) => {
    expect(readAs(transcript)).toBe('en')
    expect(isMeasured(transcript)).toBe(true)
  })

  test.each([
    'Hoy estoy muy cansado porque no dormí nada, mi roommate made so much noise y mañana tengo un examen muy difícil en la uni.',
    '我今天很累,因为我昨天没睡好,明天还有 final exam,所以我压力很大,不想去 class。',
    'Ich bin heute so tired und habe keine Lust auf die lecture, weil ich nicht geschlafen habe, sorry.',
  ])('are not scored where another is: %s', (transcript) => {
    expect(readAs(transcript)).toBe('other')
    expect(isMeasured(transcript)).toBe(false)
  })
})

describe('a part that was not read is said to be so', () => {
  const GOOD =
    'I had a really lovely week and I finished my essay, and my friends came over to cook, which was great fun.'

  test.each([
    `${GOOD} A potem poszliśmy na spacer i powiedziałam mamie, że nic mnie nie cieszy.`,
    `${GOOD} Pero no duermo y ya no tengo ganas de salir con nadie.`,
    `${GOOD} Laakiin waan daalanahay oo ma seexan karo habeenkii.`,
    `${GOOD} 可是我每天晚上都睡不着,什么都不想做,觉得很难过。`,
  ])('%s', (transcript) => {
    expect(analyzeText(transcript).quality).toMatchObject({ language: 'en', reason: 'partly_not_english' })
    expect(analyzeText(transcript).quality.score).toBeLessThan(analyzeText(GOOD).quality.score)
  })

  test.each([
    GOOD,
    'I skyped Agnieszka and Oluwaseun, then we made pierogi and jollof in the kitchen and it was nice to have them there.',
    'gonna finish my essay tmrw tbh, im rly tired and my bf is annoyin but its fine i guess',
  ])('names, dishes and slang are no such part: %s', (transcript) => {
    expect(analyzeText(transcript).quality.reason).not.toBe('partly_not_english')
  })

  const LONG = `${GOOD} We went for a walk along the river on Saturday and watched a film at home with my flatmates. On Sunday I
    called my mum and my sister and told them about the new course, which I enjoy a lot. I slept well most nights, went to the gym
    twice and got up early for the morning lectures. I feel calm about the exams next month because I have a plan, and my tutor
    said that my last draft was good and clear.`

  test.each([
    'Ich kann einfach nicht mehr und weiß nicht, wie ich das alles noch aushalten soll.',
    'Nie mam już siły i nic mnie nie cieszy, chcę zniknąć.',
    'Ya no puedo más y siento que nada tiene sentido.',
    'Dw i wedi blino ac mae popeth yn mynd yn waeth bob dydd.',
    'Main bahut thak gaya hoon aur kuch samajh nahi aata.',
    '我每天晚上都睡不着觉,什么都不想做,觉得活着真的没有意思了',
    '毎日とてもつらくて眠れません',
    'ฉันเหนื่อยมากและไม่อยากทำอะไรอีกแล้ว',
  ])('in a long English text, one sentence is enough: %s', (sentence) => {
    const { quality } = analyzeText(`${LONG} ${sentence}`)
    expect(quality).toMatchObject({ language: 'en', reason: 'partly_not_english' })
    expect(analyzeText(LONG).quality.reason).toBeNull()
  })

  test.each([
    'I met Chidinma, Adaeze, Obinna and Oluwaseun in Ikeja, and Folake Adebayo-Ogunlesi drove us to Abeokuta through Sagamu and Ijebu Ode.',
    'My cousins Priyanka, Venkatesh, Lakshmi and Subramaniam came from Thiruvananthapuram, and we called Dadi in Visakhapatnam.',
    'My friends Zhang Xiaoming, Liu Yifei, Wang Junkai and Chen Weiting visited Guangzhou, Shenzhen and Chengdu with me.',
    'We took the train from Aberystwyth to Machynlleth and Llanfairpwllgwyngyll with Gwenllian, Rhiannon, Myfanwy and Llywelyn ap Gruffudd.',
  ])('names of people and places are no such part: %s', (transcript) => {
    expect(analyzeText(transcript).quality.reason).not.toBe('partly_not_english')
    expect(analyzeText(`${LONG} ${transcript}`).quality.reason).toBeNull()
  })

  test.each([
    'My roommate 王小明 and my friend 李雷 cooked hotpot and it was great.',
    'i met chidinma adaeze obinna and folake and then we had jollof rice, egusi soup, suya, moi moi and akara with some zobo.',
    'We made biryani, dosa, idli, sambar and rasam, and my aunt brought gulab jamun, jalebi and rasgulla.',
    'The seminar covered eigenvectors, Hamiltonians, phonons, Lagrangians and Bravais lattices.',
  ])('nor are a few names, dishes and terms in a long text: %s', (transcript) => {
    expect(analyzeText(`${LONG} ${transcript}`).quality.reason).toBeNull()
  })

  test('no English word is read inside a word of another language', () => {
    const forms = read('Wczoraj poszliśmy na spacer i zjedliśmy lody.').words.map(({ form }) => form)
    expect(forms).toEqual(['wczoraj', 'poszliśmy', 'na', 'spacer', 'i', 'zjedliśmy', 'lody'])
  })
})

describe('very short and telegraphic text', () => {
  test.each(['ok', 'not great', 'Estoy triste.', 'つらい', 'no', 'I am fine.'])(
    '"%s" is not scored',
    (transcript) => {
      expect(isMeasured(transcript)).toBe(false)
      expect(analyzeText(transcript).quality.score).toBeLessThan(0.2)
      expect(analyzeText(transcript).quality.reason).not.toBeNull()
    },
  )

  test.each([
    'exams essays deadlines stress coffee library repeat',
    'Exams tomorrow, stressed, tired, hungry, lonely, missing home, missing sleep.',
    'tired stressed anxious worried alone',
  ])('notes of English words are English: %s', (transcript) => {
    expect(readAs(transcript)).toBe('en')
  })
})

describe('text that no speech looks like', () => {
  test.each([
    ['one word of 100,000 letters', 'a'.repeat(100_000)],
    ['100,000 spaces', ' '.repeat(100_000)],
    ['50,000 lines', 'a\n'.repeat(50_000)],
    ['only denials', 'not '.repeat(25_000)],
    ['an endless list', `I am not ${'sad, or '.repeat(12_000)}`],
    ['only contrasts', 'but '.repeat(25_000)],
    ['only marks', '!?'.repeat(50_000)],
    ['only combining marks', `e${'\u0301'.repeat(99_999)}`],
    ['a million characters', 'I am happy and it was a good day. '.repeat(30_000)],
  ])('%s is analysed', (_, transcript) => {
    const { features, quality } = analyzeText(transcript)
    expect(quality.score).toBeGreaterThanOrEqual(0)
    for (const value of Object.values(features)) {
      expect(value === null || Number.isFinite(value)).toBe(true)
    }
  })
})
