const LOOKALIKES: Readonly<Record<string, string>> = {
  ı: 'i',
  а: 'a',
  е: 'e',
  о: 'o',
  р: 'p',
  с: 'c',
  у: 'y',
  х: 'x',
  і: 'i',
  ѕ: 's',
  ј: 'j',
  ԁ: 'd',
  ԛ: 'q',
  ո: 'n',
  к: 'k',
  м: 'm',
  т: 't',
  в: 'b',
  н: 'h',
  α: 'a',
  ε: 'e',
  ι: 'i',
  κ: 'k',
  ν: 'v',
  ο: 'o',
  ρ: 'p',
  τ: 't',
  υ: 'u',
  χ: 'x',
}
const DIGITS: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

/** Letters one by one: "i g n o r e", "i.g.n.o.r.e". */
const SPELLED = /(?<![a-z])[a-z](?:[ .\-*_]{1,2}[a-z]){4,}(?![a-z])/g

/** Lower case without accents and lookalikes; words, colons, and `|` for a pause, single spaces between. */
export function fold(sentence: string): string {
  return sentence
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[ıаеорсухіѕјԁԛոкмтвнαεικνορτυχ]/g, (letter) => LOOKALIKES[letter] ?? letter)
    .replace(/[a-z0134579@$!]+/g, unleet)
    .replace(SPELLED, (run) => run.replace(/[^a-z]/g, ''))
    .replace(/'/g, '')
    .replace(/[,;()]+/g, ' | ')
    .replace(/[^\p{L}\p{N}:|]+/gu, ' ')
    .trim()
}

/** Only digits and signs between letters stand for letters. */
function unleet(word: string): string {
  if (!/[a-z]/.test(word) || !/[0134579@$!](?=[a-z])/.test(word)) return word
  return word.replace(/[0134579@$!]/g, (sign) => DIGITS[sign] ?? sign)
}

/** As a reader of ROT13 sees it. */
export function rot13(text: string): string {
  return text.replace(/[a-z]/g, (letter) => String.fromCharCode(((letter.charCodeAt(0) - 97 + 13) % 26) + 97))
}

export function reversed(text: string): string {
  return Array.from(text).reverse().join('')
}
