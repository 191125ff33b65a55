import type { RiskLevel } from '../../risk-level.ts'
import { normalForm } from '../../unicode.ts'
import { clean } from '../clean.ts'

/**
 * Emergency phrases of languages that students are likely to speak: words in the order in which they are said, `..2` for up to
 * two words between (letters, where a script has no spaces), `|` between alternatives, which reach from one such gap to the next. They catch the plainest words and understand nothing else.
 */
const PHRASES: Readonly<Record<string, string>> = {
  es: 'quiero ..2 morir|morirme|matarme|suicidarme|desaparecer para siempre; me quiero ..1 morir|matar|suicidar; ganas de ..0 morir|morirme|vivir mas; sin ganas de vivir; no tengo ..1 ganas de vivir; no quiero ..1 seguir viviendo|vivir; suicidarme; quitarme la vida; acabar con ..0 mi vida|todo; voy a ..1 matarme|suicidarme|quitarme; pienso en ..1 suicidio|suicidarme|morir; me he tomado ..3 pastillas; me tome ..3 pastillas; me corto ..2 brazos|munecas|piernas; me ..1 pega|golpea|pego; me ..0 violo|violaron; mejor ..0 muerto|muerta; me voy a ..1 matar|suicidar|quitar la vida; no aguanto ..1 mas ..1 vivir|la vida|esta vida; no quiero seguir con ..1 vida; me tome ..1 todo|toda|todas|todos ..1 frasco|caja|bote|pastillas; me tome ..1 frasco|caja|bote ..1 pastillas|somniferos; trague ..3 pastillas; me cuelgo; cortarme las venas; me corte las venas',
  fr: 'veux ..2 mourir|me tuer|en finir|me suicider; envie de ..1 mourir|me tuer|me suicider|en finir; envie d en finir; me suicider; pense ..1 au suicide|a la mort|a mourir|a me tuer; idees ..1 suicidaires|noires; vais ..1 me tuer|en finir|me suicider; mettre fin a ..0 mes jours|ma vie; en finir avec ..1 la vie|ma vie|tout; plus envie de vivre; veux plus ..1 vivre|etre la|etre en vie; ne plus ..1 vivre|exister|me reveiller; j ai ..1 pris|avale ..3 comprimes|medicaments|cachets|boite; me scarifie; m ouvrir les veines; il me ..1 frappe|bat|viole; m a ..1 violee|viole|frappee; je me coupe; me donner la mort; me pendre; supporte plus ..1 vivre|la vie; avale ..2 boite|flacon|tube|somniferes; taille|ouvert|coupe ..0 les veines; me jeter ..1 pont|sous un train',
  de: 'will ..3 sterben|tot sein; mochte ..3 sterben|tot sein; wunschte ..2 ich ..1 ware tot; nicht mehr leben ..1 will|mochte|wollen|kann; will ..2 nicht mehr ..2 leben|da sein|aufwachen|hier sein; mochte ..2 nicht mehr ..2 leben|da sein|aufwachen|hier sein; kann ..2 nicht mehr ..2 leben|weiterleben; mich ..2 umbringen|umzubringen|toten|erhangen|aufhangen; mich ..2 selbst|selber ..0 umbringen|umzubringen|toten; bringe ..3 mich ..3 um; bring ..2 mich ..3 um; mich um ..1 bringe|bringen; umbringen ..1 will|mochte|wollte|werde; selbstmord; suizid; suizidgedanken; suizidal; mir ..2 das leben ..2 nehmen|zu nehmen|nehme; nehme ..2 mir ..2 das leben; meinem leben ..2 ein ende ..2 setzen|machen; schluss machen ..2 mit dem leben|mit allem; tabletten ..3 geschluckt|genommen; ritze mich; mich ..2 geritzt|ritzen|schneiden; schlagt ..2 mich ..2; er ..2 vergewaltigt; nicht mehr aufwachen; lieber tot; halte ..1 das leben ..1 nicht mehr aus; schlaftabletten ..2 geschluckt|genommen; packung ..2 geschluckt; vom dach ..0 springen; von der brucke ..0 springen; vor den zug ..0 werfen|springen|schmeissen; pulsadern ..1 aufgeschnitten|aufschneiden',
  pt: 'quero ..2 morrer|me matar|desaparecer para sempre; vou ..1 me matar|me suicidar; tirar ..1 minha vida; nao quero ..1 mais ..1 viver|existir; nao quero viver; vontade de ..1 morrer|me matar|sumir; suicidio; me suicidar; acabar com ..1 minha vida|tudo; tomei ..3 comprimidos|remedios; me corto; me ..1 cortei|cortar; ele me ..1 bate|bateu|estuprou|violou; melhor ..0 morto|morta; nao aguento ..1 mais ..0 viver; nao aguento ..1 mais ..0 essa|esta ..0 vida; vou ..1 me enforcar; tomei ..1 caixa|frasco|cartela ..2 comprimidos|remedios|remedio; cortei os pulsos',
  it: 'voglio ..2 morire|uccidermi|ammazzarmi|farla finita; vorrei ..2 morire|essere morto|essere morta|sparire per sempre; uccidermi; suicidarmi; ammazzarmi; togliermi la vita; farla finita; non voglio ..1 piu ..1 vivere|esserci; voglia di ..1 morire|farla finita|uccidermi; ho preso ..3 pastiglie|pillole|compresse; penso ..1 al suicidio; mi taglio; mi picchia; mi ha ..1 violentata|stuprata|picchiata; mi voglio ..1 ammazzare|uccidere|suicidare|impiccare; vorrei ..1 ammazzarmi|uccidermi; mi ammazzo; mi uccido; non ce la faccio piu a vivere; ho ingoiato ..3 pastiglie|pillole|compresse; tagliata|tagliato ..0 le vene; tagliarmi le vene; mi voglio togliere la vita',
  nl: 'ik wil ..2 dood|sterven; wil ..2 niet meer ..2 leven|verder; zelfmoord; mezelf ..2 van kant ..1 maken; mezelf ..2 doden|ombrengen|ophangen; maak ..2 mezelf ..1 van kant; er ..2 een ..0 eind|einde ..0 aan maken; een ..0 eind|einde ..1 aan mijn leven; pillen ..2 geslikt|genomen; snij ..1 mezelf; hij ..1 slaat me; kan niet meer ..1 leven; wil ..1 van het dak ..0 springen; slaappillen ..2 geslikt|genomen; voor de trein ..0 springen',
  pl: 'chce ..2 umrzec|sie zabic|ze soba skonczyc; chcialbym|chcialabym ..1 umrzec|nie zyc; zabic sie; zabije sie; samobojstwo|samobojcze; nie chce ..2 zyc; skonczyc ze soba; odebrac sobie zycie; polknelam|polknalem|wzielam|wzialem ..3 tabletek|tabletki; tne sie; on mnie bije; bije mnie; nalykalam|nalykalem sie ..2 tabletek|lekow|tabletkami; lyknelam|lyknalem ..3 tabletek|tabletki; mam dosc zycia; nie chce mi sie zyc; powiesze sie; podciac|podcielam|podcialem ..1 zyly',
  tr: 'olmek istiyorum; intihar; kendimi ..1 oldurmek|oldurecegim; yasamak istemiyorum; canima kiymak; hayatima son; hap ictim; kendimi kesiyorum; kutu ..1 hap ..1 ictim|yuttum|aldim; kendimi ..1 asacagim|asmak',
  sv: 'jag vill ..2 do|inte leva; vill ..2 inte ..1 leva; ta livet av mig; ta mitt ..1 liv; sjalvmord; skadar mig sjalv',
  id: 'ingin ..1 mati|bunuh diri; mau ..1 mati|bunuh diri; bunuh diri; tidak ..1 ingin|mau ..0 hidup; gak mau hidup; mengakhiri hidup',
  tl: 'gusto ..2 mamatay|nang mamatay|magpakamatay; magpakamatay; ayoko nang mabuhay; ayaw ko ..1 mabuhay',
  vi: 'muon ..1 chet|tu tu; tu tu; tu sat; khong muon song',
  hi: 'मरना ..0 चाहता|चाहती; मर जाना ..0 चाहता|चाहती; आत्महत्या; जीना नहीं ..0 चाहता|चाहती; marna ..0 chahta|chahti; mar ..1 jana ..0 chahta|chahti; khudkushi; jeena ..0 nahi|nahin ..0 chahta|chahti; suicide karna; atmahatya; jeene ka ..0 mann|man ..0 nahi',
  ur: 'خودکشی; مرنا ..0 چاہتا|چاہتی; جینا نہیں ..0 چاہتا|چاہتی',
  ar: 'أريد أن أموت; اريد ان اموت; انتحار; أنتحر; انتحر; أقتل نفسي; اقتل نفسي; لا أريد أن أعيش; لا اريد ان اعيش; عايز اموت; بدي موت; نفسي اموت; ابتلعت ..2 حبوب|الحبوب; اخذت كل الحبوب; أخذت كل الحبوب; سأقتل نفسي; ساقتل نفسي; لا أريد العيش; لا اريد العيش',
  fa: 'می‌خواهم بمیرم; میخوام بمیرم; می خواهم بمیرم; خودکشی; خودم را بکشم; خودمو بکشم; نمی‌خواهم زنده باشم',
  ru: 'хочу ..1 умереть|сдохнуть|убить себя|покончить с собой; самоубииство|суицид; убить себя; убью себя; покончить с собои; не хочу ..1 жить; жить не хочу; таблеток ..0 наглоталась|наглотался; режу себя; наглоталась|наглотался ..3 таблеток|снотворного|лекарств; выпила|выпил|принял|приняла|сьела|сьел ..1 всю|целую|все|горсть|пачку|упаковку ..2 таблеток|таблетки|снотворного|упаковку таблеток|пачку таблеток; вскрыть|вскрыла|вскрыл|порезала|порезал ..1 вены; больше не могу жить; не могу ..1 больше жить; устала|устал жить; повеситься; повешусь; спрыгнуть с крыши|моста; исчезнуть навсегда',
  uk: 'хочу ..1 померти|вмерти|вбити себе; самогубство; вбити себе; не хочу ..1 жити; жити не хочу; покінчити з собою; наковталася|наковтався ..2 таблеток|пігулок|ліків; не можу ..1 більше жити; повіситися; втомилася|втомився жити',
  zh: '自杀; 自殺; 想死; 不想活; 轻生; 輕生; 结束生命; 結束生命; 活不下去; 割腕; 不想活了; 吃了..4安眠药; 吃了..4安眠藥; 吞了..4安眠药; 吞了..4安眠藥; 吞药; 吞藥; 整瓶药; 整瓶藥; 想跳楼; 想跳樓; 要跳楼; 要跳樓; 从..4跳下去; 從..4跳下去; 上吊; 服毒; 活着没意思; 活著沒意思; 不想再活; 了结自己; 了結自己',
  ja: '死にたい; 自殺; 消えたい; 生きたくない; 生きていたくない; リストカット; 薬を..2大量; 薬をたくさん飲; 過剰摂取; オーバードーズ; 首を吊; 首吊り; 飛び降りたい; 生きるのに疲れ; 生きるのがつらい',
  ko: '죽고 싶; 죽고싶; 자살; 살기 싫; 사라지고 싶; 자해; 살고 싶지 않; 수면제를 ..3 먹었; 수면제를 ..3 삼켰; 목을 매; 뛰어내리고 싶',
  bn: 'মরতে চাই; আত্মহত্যা; বাঁচতে চাই না',
  sw: 'nataka ..1 kufa|kujiua; kujiua; sitaki ..1 kuishi',
  ro: 'vreau sa ..1 mor|ma sinucid|ma omor; sinucid; sinucidere; nu mai vreau sa traiesc',
  el: 'θελω να ..1 πεθανω|αυτοκτονησω; αυτοκτονια; αυτοκτονησω; δεν θελω να ..0 ζω|ζησω',
  cs: 'chci ..1 umrit|se zabit; sebevrazda; zabit se; nechci ..1 zit',
  hu: 'meg ..1 akarok halni; ongyilkos; nem akarok elni; megolom magam',
  yo: 'mo fe ku; mo fẹ kú',
}

/** Codes of ISO 639-1 of the languages that have phrases. */
export const FOREIGN_LANGUAGES: readonly string[] = Object.keys(PHRASES)

/** Every phrase; scripts that put spaces between words match whole words only. */
const FOREIGN_PHRASES: ReadonlyArray<{ rule: string; regex: RegExp }> = Object.entries(PHRASES).map(
  ([language, phrases]) => ({
    rule: `foreign.${language}`,
    regex: new RegExp(phrases.split(';').map(expressionOf).join('|'), 'gu'),
  }),
)

function expressionOf(phrase: string): string {
  const form = fold(phrase.replace(/\.\.(\d)/g, 'GAP$1')).trim()
  const spaced = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\s|\d]+$/u.test(form)
  const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(form)
  const parts = form.split(/ ?gap(\d) ?/)
  const expression = parts
    .map((part, at) => {
      if (at % 2 === 1) return unspaced ? `[^ .]{0,${part}}` : `(?: [^ .]+){0,${part}} `
      return part.includes('|') ? `(?:${part})` : part
    })
    .join('')
  return spaced ? `(?<= )${expression}(?= )` : expression
}

/** Lower case without accents; an apostrophe and every other sign is a space, the end of a sentence a full stop. */
function fold(text: string): string {
  const plain = normalForm(clean(text).toLowerCase(), 'NFD').replace(
    /\p{Script=Latin}\p{M}+|[\u0370-\u04ff]\p{M}+/gu,
    (letter) => letter.charAt(0),
  )
  return ` ${normalForm(plain, 'NFC')
    .replaceAll('ł', 'l')
    .replaceAll('ß', 'ss')
    .replace(/[.!?\n。！？]+/g, ' . ')
    .replace(/[^\p{L}\p{M}\p{N}.|\u200c]+/gu, ' ')
    .trim()} `
}

/** Words of denial right before a phrase. */
const NEGATION =
  /(?<= )(?:no|nunca|ne|pas|nicht|nie|nao|jamais|non|niet|inte|не|tidak|khong|kein|keine|nem|nu) (?:\p{L}+ )?$/u

/** Phrases that hold their own negation: "je ne veux plus vivre". */
const OWN_NEGATION = /\b(?:plus|nicht mehr|no|nao|non|niet|nie|inte|sin|piu|nu)\b/u

/** "Ich will nicht sterben", but not "ich will nicht mehr leben". */
const DENIED_WITHIN =
  / (?:nicht|niet|no|nao|pas|non|inte) (?:sterben|tot|umbringen|toten|dood|morir|matarme|morrer|mourir|morire|do)\b/u

/** The emergency phrases in a text: `high`, or `mild` where a word of denial belongs to one. */
export function* foreignMatches(text: string): Generator<{ rule: string; level: RiskLevel }> {
  const folded = fold(text)
  for (const { rule, regex } of FOREIGN_PHRASES) {
    for (const { index, 0: said } of folded.matchAll(regex)) {
      const before = folded.slice(Math.max(0, index - 20), index)
      const denied = (!OWN_NEGATION.test(said) && NEGATION.test(before)) || DENIED_WITHIN.test(said)
      yield { rule, level: denied ? 'mild' : 'high' }
    }
  }
}
