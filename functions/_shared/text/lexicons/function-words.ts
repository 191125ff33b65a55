import { entries } from '../lexicon.ts'

/** Everyday words of English speech. */
export const ENGLISH_WORDS: ReadonlySet<string> = new Set(
  entries(`
    a, about, after, again, all, also, always, am, an, and, any, anything, are, as, at, back, bad, be,
    because, been, before, being, bit, but, by, can, can't, cant, class, classes, could, couldn't, day,
    days, did, didn't, didnt, do, does, doesn't, doing, don't, done, dont, down, even, everything, feel,
    feeling, felt, for, from, get, getting, go, going, gone, gonna, good, got, had, has, hasn't, have,
    haven't, having, he, he's, hello, her, here, hers, hi, him, his, how, i, i'd, i'll, i'm, i've, if, im,
    in, into, is, it, it's, its, ive, just, kind, know, like, little, lot, lots, made, make, many, may, me,
    might, mine, more, morning, much, must, my, myself, need, never, night, no, not, nothing, now, of, off,
    oh, ok, okay, on, one, or, our, out, over, people, please, really, right, said, say, school, see, she,
    she's, should, so, some, something, sort, still, stuff, than, thanks, that, that's, the, their, them,
    then, there, these, they, they're, thing, things, think, this, those, time, to, today, tomorrow, too,
    two, uh, um, up, us, very, wanna, want, wanted, was, we, we're, week, well, went, were, what, what's,
    when, where, which, while, who, why, will, with, won't, wont, work, would, wouldn't, yeah, yes,
    yesterday, you, you're, your, yours
  `),
)

/** Everyday words of other languages that students speak, without those that English has too. */
export const OTHER_WORDS: ReadonlySet<string> = new Set(
  entries(`
    aaj, abbiamo, aber, ada, adalah, agus, ak, akan, ako, aku, ale, als, ama, amanhã, amb, anar, anche, ang,
    anpil, ar, att, au, auch, auf, aujourd'hui, aur, aus, aussi, av, avec, avoir, avui, awak, ay, ayer, az,
    azi, azt, aš, bahut, baik, bardzo, bei, bem, ben, bene, benim, bent, bhi, bien, bila, bir, bisa, bist,
    biti, biz, blev, bra, bu, bugun, bugün, byc, bylo, być, był, była, být, c'est, ca, casa, ce, ces, cette,
    che, cho, cok, com, comme, como, con, csak, cu, cuando, các, có, că, của, dago, daha, dan, danas, dans,
    dari, das, dass, dat, ddim, de, degil, dei, dein, della, delle, dem, demain, den, dengan, der, det,
    değil, dhe, di, dia, dich, dig, din, dir, dit, dnes, dobrze, domani, dos, du, dut, dw, dzisiaj, dziś,
    dåligt, dårlig, día, dün, ea, een, efter, egy, ei, ein, eine, einem, einen, einer, eisiau, el, ela,
    elas, ele, eles, elle, elles, els, em, en, enkä, er, es, esmu, eso, est, esta, estaba, estava, este,
    estic, esto, estou, estoy, está, esu, et, eta, ett, etter, että, eu, ez, fait, foarte, foi, fordi, fra,
    fue, futhi, fy, för, für, gaur, geen, gestern, gibi, gisteren, gli, godt, goed, gusto, gyda, habe,
    haben, hade, hai, hain, han, har, hari, hatte, hay, heb, hebben, heddiw, heeft, heel, het, heute, hier,
    hii, hij, hindi, hiyo, ho, hogy, hoje, hon, hoon, hoy, hun, hvad, hvor, hvordan, hyvin, hän, hôm, ich,
    icin, idag, ieri, igår, ihr, ik, ikaw, ikke, il, ile, ils, immer, imorgon, ini, inniu, inte, io, ir,
    isso, ist, isto, ito, itu, iyan, iyi, için, ići, j'ai, j'étais, ja, jag, jak, jako, jana, je, jeg, jer,
    jest, jestem, jij, jodi, jour, jsem, jsi, jsou, juga, jutro, jól, ka, kad, kakhulu, kal, kam, kamu, kan,
    kanssa, kao, karena, kasi, kawan, ke, kedvem, kein, keine, kendimi, không, ki, kita, kodwa, kotu, kwa,
    kya, kötü, la, labai, lakini, lang, le, lei, leo, les, leur, lidt, loro, los, lui, là, maar, mai, mais,
    male, mam, manje, mas, mayroon, med, meget, meidän, mein, meine, meinen, mera, merasa, mereka, meri,
    mert, mes, met, meu, meus, mga, mia, mich, mig, mijn, mimi, min, minha, minun, minä, mio, mir, mit,
    mitt, mnie, mo, moins, moj, moja, molt, molto, mon, morgen, mucho, muito, mujhe, mutta, muy, mwen,
    mycket, mynd, myös, mám, már, más, mé, mój, mı, můj, một, n'est, na, naar, nach, nada, nago, nagyon,
    nahi, nahin, naiz, nak, namuhla, nao, nas, nav, nay, nechce, nekem, nem, nenoriu, nešto, ng, ngayon,
    những, nic, nicht, nie, niente, niet, niin, nije, nina, nire, nisam, një, noch, nog, non, nos, nous, nu,
    nuk, nur, nyt, này, não, në, níl, nós, och, oder, og, oggi, også, olen, olet, oli, ollut, om, ona,
    ontem, ook, op, orm, os, oso, ou, ovat, où, para, parce, pas, pe, penat, pentru, perche, perché, pero,
    perquè, però, più, poco, por, porque, pou, pour, protože, på, për, qu'il, quando, que, quello, questa,
    questo, qui, që, raha, rahi, rien, rin, roedd, rosszul, rydw, rất, sa, samo, sana, sangat, saya,
    schlecht, schon, sehr, sei, seine, sekali, sen, ser, ses, seu, shumë, siamo, sich, sie, siento, sig,
    sila, sind, sinä, sisi, siya, siz, się, skal, slecht, sliten, sobre, som, sommes, sono, su, sua, sudah,
    suis, sunt, suo, sur, sus, sve, são, så, sóc, są, tak, taky, tambien, también, também, tapi, tayo, tem,
    tengo, tenho, tha, thi, tidak, tidur, till, tinc, todella, todo, toh, ton, tout, tres, trong, très,
    tudo, tutto, ty, tá, tämä, tänään, të, tôi, tú, uber, ukuthi, uma, umas, un, una, unas, und, une, uno,
    unos, uns, untuk, vagy, vagyok, van, vandaag, var, ve, veel, veldig, velmi, veľmi, vi, viel, vil, voce,
    você, voi, volt, von, voor, vous, và, været, với, w, wa, wala, waren, wczoraj, wedi, weil, wel, wenn,
    wer, werde, werden, wewe, wij, wir, wird, ya, yami, yang, yarın, yeye, yn, yo, yok, yra, z, ze, zij,
    zijn, zu, zum, zur, är, çok, è, é, én, és, étais, était, être, është, über, đó, được, ļoti, šiandien,
    šodien, što, źle, że, že, și
  `),
)

/** Words that make the next ones stronger. */
export const STRONGER: readonly string[] = entries(`
  absolutely, always, amazingly, awfully, completely, considerably, constantly, decidedly, deeply,
  enormously, entirely, especially, exceptionally, extremely, fabulously, fricking, frigging, fucking,
  fully, greatly, hella, highly, hugely, incredibly, insanely, intensely, more, most, particularly, proper,
  purely, quite, really, remarkably, so, substantially, such, super, terribly, thoroughly, too, totally,
  tremendously, truly, unbelievably, unusually, utterly, very
`)

/** Words that make the next ones weaker. */
export const WEAKER: readonly string[] = entries(`
  almost, barely, bit, fairly, hardly, kinda, less, little, marginally, mildly, occasionally, partly,
  scarcely, slightly, sometimes, somewhat, sorta
`)

/** Sounds of hesitation. */
export const FILLERS: ReadonlySet<string> = new Set(
  entries(`
    ah, ahh, eh, ehm, er, erm, err, hm, hmm, hmmm, mhm, mm, mmm, uh, uh-huh, uhh, uhhh, uhm, um, umm, ummm
  `),
)
