/** Pills and how many of them are an overdose rather than a dose, in the languages that ask for both. */
const ES = {
  taken:
    'me tome|me he tomado|me acabo de tomar|acabo de tomarme|acabo de tomar|me trague|me he tragado|me acabo de tragar|acabo de tragarme|trague|tome|voy a tomarme|me voy a tomar|ingeri',
  many: 'MANY|veinte|treinta|cuarenta|cincuenta|sesenta|cien|todo|toda|todas|todos|frasco|caja|bote|blister|botella|punado|monton|muchas|muchos|demasiadas|entero|entera',
  pills:
    'pastillas|somniferos|comprimidos|medicamentos|capsulas|antidepresivos|ansioliticos|tranquilizantes|paracetamol|ibuprofeno|medicacion',
}
const FR = {
  taken:
    'j ai pris|j ai avale|j ai tout avale|j ai deja pris|j ai deja avale|je viens de prendre|je viens d avaler|je vais prendre|je vais avaler|avale|avaler',
  many: 'MANY|vingt|trente|quarante|cinquante|soixante|cent|toute|toutes|tous|boite|boites|plaquette|plaquettes|flacon|tube|poignee|plein|entiere|entier',
  pills:
    'comprimes|medicaments|cachets|somniferes|pilules|doliprane|paracetamol|antidepresseurs|anxiolytiques|xanax|boite|boites|plaquette|flacon|tube',
}
const DE = {
  many: 'MANY|zwanzig|dreissig|vierzig|funfzig|sechzig|hundert|alle|all die|ganze|ganzen|viele|zu viele|samtliche|packung|packungen|schachtel|flasche|handvoll|uberdosis',
  pills:
    'tabletten|schlaftabletten|schmerztabletten|pillen|medikamente|antidepressiva|paracetamol|ibuprofen|packung|schachtel|flasche',
  taken: 'geschluckt|genommen|eingenommen|eingeworfen|schlucken|schlucke',
}
const PT = {
  taken: 'tomei|acabei de tomar|engoli|acabei de engolir|vou tomar|vou engolir|eu tomei|acabo de tomar',
  many: 'MANY|vinte|trinta|quarenta|cinquenta|cem|todos|todas|toda|todo|caixa|frasco|cartela|punhado|monte|muitos|inteira|inteiro',
  pills: 'comprimidos|remedios|remedio|calmantes|medicamentos|pilulas|paracetamol|antidepressivos',
}
const IT = {
  taken:
    'mi sono ingoiato|mi sono ingoiata|mi sono preso|mi sono presa|ho preso|ho ingoiato|ho appena preso|ho appena ingoiato|ho mandato giu|prendero|ingoiero',
  many: 'MANY|venti|trenta|quaranta|cinquanta|cento|tutte|tutti|tutta|scatola|flacone|blister|manciata|sacco|intera|intero|troppe',
  pills: 'pastiglie|pillole|compresse|sonniferi|medicine|farmaci|tachipirina|pasticche',
}
const NL = {
  many: 'MANY|twintig|dertig|veertig|vijftig|honderd|alle|al mijn|al die|hele|doos|doosje|strip|potje|fles|handvol|overdosis|veel',
  pills:
    'pillen|slaappillen|tabletten|medicijnen|paracetamol|slaapmiddelen|antidepressiva|doos|doosje|strip|potje',
  taken: 'geslikt|genomen|ingenomen|doorgeslikt',
}
const PL = {
  taken: 'polknelam|polknalem|wzielam|wzialem|lyknelam|lyknalem|zazylam|zazylem|zjadlam|zjadlem|wezme|polkne',
  many: 'MANY|dwadziescia|trzydziesci|czterdziesci|piecdziesiat|sto|cale|cala|caly|wszystkie|garsc|mnostwo|opakowanie|duzo|kilkadziesiat',
  pills: 'tabletek|tabletki|lekow|leki|opakowanie|prochow|proszkow|pigulek',
}
const RU = {
  taken:
    'выпила|выпил|принял|приняла|сьела|сьел|съела|съел|проглотила|проглотил|наглоталась|наглотался|выпью|закинула|закинул',
  many: 'MANY|двадцать|тридцать|сорок|пятьдесят|сто|всю|все|целую|горсть|пачку|упаковку|много|банку',
  pills: 'таблеток|таблетки|снотворного|лекарств|лекарства|упаковку|пачку|успокоительных',
}

/** Who may hurt somebody: a subject keeps "me pega el sol" and "ce qui m'a frappé" out. */
const WHO = {
  es: 'padre|papa|madre|mama|novio|novia|marido|mujer|esposo|esposa|pareja|hermano|padrastro|tio|abuelo|el|ella|ex|companero|profesor',
  fr: 'pere|papa|mere|maman|copain|copine|mari|conjoint|compagnon|frere|oncle|ami|ex|il|elle|parents|coloc|amie',
  de: 'vater|papa|mutter|mama|freund|freundin|mann|frau|stiefvater|bruder|onkel|partner|ex|exfreund|er|sie|eltern|mitbewohner',
  pt: 'pai|pais|mae|padrasto|namorado|namorada|marido|irmao|tio|ele|ela|ex|companheiro|parceiro',
  it: 'padre|papa|madre|mamma|fidanzato|ragazzo|marito|compagno|fratello|zio|patrigno|lui|lei|ex',
  nl: 'vader|papa|moeder|mama|vriend|vriendin|man|stiefvater|stiefvader|broer|oom|partner|ex|hij|zij|ze|ouders|huisgenoot',
  pl: 'rodzice|ojciec|tata|matka|mama|chlopak|maz|ojczym|brat|wujek|partner|on|ona|byly',
  ru: 'родители|отец|папа|мать|мама|парень|муж|отчим|брат|дядя|он|она|бывшии',
  uk: 'батько|тато|мати|мама|хлопець|чоловік|вітчим|брат|він|вона',
}

/**
 * Emergency phrases of languages that students are likely to speak: words in the order in which they are said, `..2` for up to two
 * words between (letters, where a script has no spaces), from `..5` on within one clause; `|` between alternatives, which reach
 * from one such gap to the next; `MANY` for a number of two or three digits, `DIGIT` for one of one; words after `--` do not follow.
 */
export const PHRASES: Readonly<Record<string, string>> = {
  es: `quiero ..2 morir|morirme|matarme|suicidarme|ahorcarme|colgarme|desaparecer para siempre; me quiero ..1 morir|matar|suicidar|ahorcar|quitar la vida; ganas de ..0 morir|morirme|matarme;
    no ..2 ganas de ..1 vivir; sin ganas de vivir; no quiero ..1 seguir viviendo|vivir; no quiero seguir con ..1 vida; suicidarme; quitarme la vida; me quito la vida; acabar con ..0 mi vida|todo; acabo con mi vida;
    pensando|pienso|pensado|pense|planeo|planeando|planeado|decidido|decidi|intente|intentado|intentar|voy|vaya|dispuesto|dispuesta ..3 matarme|suicidarme|quitarme la vida|ahorcarme|tirarme por la ventana|tirarme al tren|tirarme por el balcon;
    pienso|pensando|pensado ..1 en ..2 suicidio|suicidarme|morir|morirme|matarme; voy a ..1 matarme|suicidarme|quitarme la vida; me voy a ..1 matar|suicidar|quitar la vida|ahorcar|tirar por la ventana|tirar al tren; me mato -- a|de|estudiando|trabajando;
    mejor ..0 muerto|muerta; no aguanto ..1 mas ..1 vivir|la vida|esta vida; me cuelgo -- de|con|en; ${ES.taken} ..3 ${ES.many} ..3 ${ES.pills}; ${ES.taken} ..2 ${ES.pills} ..1 para morir|para dormir para siempre|para no despertar; sobredosis de ..0 pastillas|medicamentos;
    me corto|me corte|me he cortado|cortarme ..2 brazos|brazo|munecas|muneca|piernas|muslos|venas|piel; cortarme las venas; me corto -- a|al|de|con|el|la|los|las|lo|un|una|unas|o|os|as|um|uma|mucho|cuando hablo|en publico|y me; he escrito ..2 carta de despedida|carta de suicidio;
    padres|tios|hermanos|abuelos ..2 me ..0 pegan|golpean|maltratan; ${WHO.es} ..3 me ..0 pega|golpea|pego|golpeo|maltrata|pegaba|viola|violo|ahorca -- un abrazo|un toque|un grito; ${WHO.es} ..3 me ha ..0 pegado|golpeado|violado; me ..0 pega|golpea|pego -- con los zapatos|con las gafas|con el pantalon|con la falda|con la camisa|con mi|con tu|con este|con esta|bien|que|un abrazo|un toque|un grito; me ..0 violo|violaron; abusa|abuso sexualmente ..0 de mi`,
  fr: `veux|voudrais|vais|aimerais ..2 mourir|me tuer|me suicider|me pendre|en finir -- avec; envie d|envie de ..1 mourir|crever|me tuer|me suicider|en finir -- avec; decide|prevu|pense|compte|resolu|prefere|songe|veut ..2 en finir|me tuer|me suicider|me donner la mort|mourir -- avec;
    me suicider; pense|penser ..1 au suicide|a la mort|a mourir|a me tuer; idees ..1 suicidaires|noires; mettre fin a ..0 mes jours|ma vie; mets fin a mes jours; en finir avec ..1 la vie|ma vie|cette vie|tout; plus|pas ..1 envie de ..1 vivre|me reveiller|etre la; veux plus ..1 vivre|etre la|etre en vie; ne plus ..1 vivre|exister|me reveiller;
    ${FR.taken} ..3 ${FR.many} ..3 ${FR.pills}; ${FR.taken} ..2 ${FR.pills} ..1 pour mourir|pour en finir; avale ..2 boite|flacon|tube|somniferes; me scarifie; m ouvrir les veines; je me ..0 coupe|taillade -- a|au|aux|avec|l|la|le|les|un|une|du|des|de|en|toujours|trop; je me ..0 coupe|taillade ..2 bras|poignets|poignet|cuisses|jambes|veines|peau; me donner la mort; je me donne la mort; me pendre;
    je me tue -- a|au|le dos; supporte plus ..1 vivre|la vie; taille|ouvert|coupe ..0 les veines; me jeter|jette|saute|sauter ..2 pont|sous un train|sous le train|par la fenetre|du toit; lettre d adieu; lettre de suicide;
    ${WHO.fr} ..3 me ..1 frappe|bat|tape|tape dessus|viole|cogne|tabasse|frappait|battait|gifle|menace de mort|frappent|battent|tapent dessus|violent; ne veux ..1 que ..0 mourir|en finir; ${WHO.fr} ..3 m a ..2 frappe|frappee|battu|battue|gifle|giflee|etrangle|etranglee; m a ..1 violee|viole|tabasse|tabassee|battue`,
  de: `will|wollte|mochte ..3 sterben|tot sein; will|mochte ..8 sterben|tot sein; wunschte ..2 ich ..1 ware tot; nicht mehr leben ..1 will|mochte|wollen|kann; will|mochte ..2 nicht mehr ..2 leben|da sein|aufwachen|hier sein; kann ..2 nicht mehr ..2 leben|weiterleben;
    mich ..8 umbringen|umzubringen|umbringe|toten|zu toten|tote|erhangen|aufhangen|erhange|aufhange|zu erhangen|aufzuhangen|erschiessen|erschiesse; mich ..3 selbst|selber ..2 toten|tote|umbringen|verletzen|verletze|verletzt|geschnitten|schneiden;
    bringe|bring ..3 mich ..8 um -- DIGIT|MANY|die ecke|die uni|halb|viertel|acht|neun|zehn|sieben|sechs|mitternacht|zu|gesund zu|fit zu|den schlaf; mich um ..1 bringe|bringen; umbringen ..1 will|mochte|wollte|werde; tote|erhange|erschiesse ..2 mich; hange ..1 mich ..6 auf;
    selbstmord; suizid; suizidgedanken; selbstmordgedanken; suizidal; mir ..8 das leben ..1 nehmen|zu nehmen|nehme; nehme|nehm ..3 mir ..8 das leben -- leicht|nicht so|einfacher; mir ..4 etwas|was ..1 antun|anzutun|antue; tue|tu ..1 mir ..6 etwas an; meinem leben ..6 ende ..1 setzen|setze|machen|mache|bereiten|bereite|zu setzen|zu machen; mache|setze|mach ..3 meinem leben ..6 ende; mein leben ..4 beenden|beende|zu beenden;
    schluss machen ..2 mit dem leben|mit allem; mache|mach ..2 schluss mit ..0 allem|dem leben|meinem leben; ${DE.many} ..3 ${DE.pills} ..3 ${DE.taken}; ${DE.pills} ..3 ${DE.taken} ..1 um zu sterben; habe tabletten geschluckt; schlaftabletten ..2 geschluckt; packung ..2 geschluckt; abschiedsbrief|abschiedsbriefe ..3 geschrieben|schreiben|schreibe; ritze ..1 mich; ritze|schneide ..0 mir|mich ..3 arm|arme|armen|beine|pulsadern|handgelenk|haut; schneide mich -- beim|am|in den finger|an; verletze mich ..0 selbst|selber|absichtlich;
    mich ..2 geritzt|ritzen|ritze; will|muss|mochte ..0 mich ..2 schneiden -- lassen; pulsadern ..1 aufgeschnitten|aufschneiden|aufschneide|aufzuschneiden; nicht mehr aufwachen; lieber tot; halte ..1 das leben ..1 nicht mehr aus; vom dach|von der brucke|aus dem fenster ..1 springen|springe|sturzen|sturze|zu springen; springe|spring|sturze mich ..4 vom dach|von der brucke|aus dem fenster|vor den zug|vor die bahn; vor den zug|vor die bahn|vor die u bahn ..0 werfen|springen|schmeissen|werfe|springe|schmeisse|zu werfen|zu springen; werfe|werf|schmeisse ..1 mich ..5 vor den zug|vor die bahn|vor ein auto;
    ${WHO.de} ..3 schlagt|schlagen|verprugelt|verprugeln|prugelt|wurgt|misshandelt|vergewaltigt|schlug|verprugelte ..2 mich; schlagt|verprugelt|wurgt|misshandelt ..0 mich ..2 vater|mutter|freund|mann|stiefvater|bruder; ${WHO.de} ..2 mich ..4 geschlagen|verprugelt|vergewaltigt|missbraucht|gewurgt|misshandelt|schlagt|verprugelt -- hat im|im; er ..2 vergewaltigt; wurde ..2 vergewaltigt|missbraucht|verprugelt`,
  pt: `quero|queria ..2 morrer|me matar|me suicidar|me enforcar|desaparecer para sempre; vou|vai ..1 me matar|me suicidar|me enforcar; pensando|penso|pensado|pensei|decidi|decidido|planejo|planejando|tentei|tentado|tentar ..2 me matar|me suicidar|morrer|suicidio|me enforcar|suicidar me|matar me; vou|quero|penso em ..0 matar me|suicidar me; tirar|tiro ..1 minha ..1 vida; nao quero ..1 mais ..1 viver|existir; nao quero viver; vontade de ..1 morrer|me matar|sumir;
    suicidio; me suicidar; suicidar me; acabar com ..1 minha vida|tudo; acabo com a minha vida; ${PT.taken} ..3 ${PT.many} ..3 ${PT.pills}; me mato -- de|a|estudando|trabalhando; me corto|me cortei|me cortar ..2 bracos|braco|pulsos|pernas|coxas|pele; me corto|me cortei|me cortar -- a|ao|com|o|os|as|um|uma|el|la|los|las|lo|un|una|unas|mucho|cuando hablo|en publico|y me|al|de|en|no dedo|fazendo;
    ${WHO.pt} ..2 me ..1 bate|batem|espancam|bateu|batia|espanca|espancou|agride|agrediu|estuprou|violou|estupra; melhor ..0 morto|morta; nao aguento ..1 mais ..0 viver; nao aguento ..1 mais ..0 essa|esta ..0 vida; cortei os pulsos; me jogar|pular ..1 ponte|predio|janela|trem; carta de despedida`,
  it: `voglio|vorrei ..2 morire|uccidermi|ammazzarmi|suicidarmi|impiccarmi|essere morto|essere morta|sparire per sempre; voglio|vorrei ..2 farla finita -- con; uccidermi; suicidarmi; ammazzarmi; impiccarmi; togliermi la vita; mi tolgo la vita; farla finita -- con; farla finita con ..1 la vita|la mia vita|questa vita|tutto; non voglio ..1 piu ..1 vivere|esserci; voglia di ..1 morire|farla finita|uccidermi;
    deciso|penso|pensando|pensato ..1 di ..1 uccidermi|ammazzarmi|suicidarmi|farla finita -- con; penso|pensato|pensando ..1 al suicidio; ${IT.taken} ..3 ${IT.many} ..3 ${IT.pills}; mi taglio|mi sono tagliato|mi sono tagliata|tagliarmi ..2 braccia|braccio|polsi|vene|gambe|cosce|pelle; mi taglio -- i|il|la|le|lo|un|una|gli|con|l|le unghie; mi voglio ..1 ammazzare|uccidere|suicidare|impiccare|togliere la vita; mi ..0 ammazzo|uccido -- di|dal|dalle|a; non ce la faccio piu a vivere; tagliata|tagliato ..0 le vene; tagliarmi le vene; mi butto|buttarmi ..2 treno|ponte|finestra|balcone; lettera d addio;
    mi ..0 picchia|picchiano -- negli occhi|sulla pelle|in testa; ${WHO.it} ..2 mi ..1 picchia|mena|violenta|maltratta -- negli occhi; ${WHO.it} ..3 mi ha ..1 picchiato|picchiata|violentato|violentata|menato|menata; mi ha ..1 violentata|stuprata|picchiata|picchiato|violentato`,
  nl: `ik wil ..4 dood|sterven; ik wil ..2 niet meer ..2 leven|verder; wil ..2 niet meer ..2 leven|verder; zelfmoord; zelfdoding; suicide plegen; suicidaal; mezelf|mij|me ..6 van kant ..1 maken|te maken|maak; mezelf|me ..6 ophangen|verhangen|doden|ombrengen|om te brengen|op te hangen|verdrinken|ombreng|ophang; maak|breng ..2 mezelf ..6 van kant|om -- te; er ..4 een|n ..0 eind|einde ..1 aan maken|aan te maken|aan maak; maak er ..6 een|n ..0 eind|einde ..0 aan; een|n ..0 eind|einde ..1 aan mijn leven; beroof|beroven ..2 van het leven;
    ${NL.many} ..3 ${NL.pills} ..3 ${NL.taken}; slaappillen ..2 geslikt; snij ..1 mezelf -- een|n|wat|in de vingers; mezelf ..3 snijden|snij|te snijden|gesneden; snij|snijd ..1 in mijn ..1 arm|armen|polsen|benen; kan niet meer ..1 leven; spring|springen ..4 van het dak|van de brug|voor de trein; van het dak|van de brug|voor de trein ..1 springen|spring|te springen|gooien; afscheidsbrief|afscheidsbrieven ..3 geschreven|schrijven;
    ${WHO.nl} ..3 slaat|slaan|mishandelen|mishandelt|schopt|wurgt|sloeg|verkracht ..2 me|mij; ${WHO.nl} ..2 me|mij ..3 slaat|mishandelt|geslagen|mishandeld|verkracht|aangerand`,
  pl: `chce|chcialbym|chcialabym ..4 umrzec; chcialbym|chcialabym ..0 nie zyc; zabic sie; chce|chcialbym|chcialabym|zamierzam|planuje|mysle|postanowilam|postanowilem|zdecydowalam|zdecydowalem|ide|ochote ..2 sie ..5 zabic|powiesic; ja|ze|jutro|dzis|dzisiaj|wieczorem ..1 sie ..5 zabije|powiesze; zabije|powiesze|zabijam ..0 sie; ze soba ..5 skoncze|skonczyc; skoncze|skonczyc ..1 ze soba; samobojstwo|samobojstwa|samobojstwie|samobojstwem|samobojcze|samobojczych; nie chce ..3 zyc; odebrac ..1 sobie ..2 zycie; odbiore sobie ..5 zycie; sobie ..3 zycie odebrac;
    ${PL.taken} ..2 ${PL.many} ..2 ${PL.pills}; tne sie -- w karty|w; sie ..2 tne -- w; nalykalam|nalykalem ..0 sie ..2 tabletek|lekow|tabletkami|prochow; polknelam|polknalem|lyknelam|lyknalem ..0 tabletki; mam dosc zycia; nie chce mi sie zyc; podciac|podcielam|podcialem|podetne ..2 zyly; skoczyc|skocze|rzucic sie|rzuce sie ..1 z mostu|z dachu|z okna|pod pociag; list pozegnalny; bije mnie -- w oczy|po oczach|rekord|na glowe; mnie bije -- serce; ${WHO.pl} ..3 mnie ..2 bije|bija|bil|bila|pobil|pobila|uderzyl|uderza|katuje|zgwalcil|dusil; zgwalcil mnie; ${WHO.pl} ..3 bije|bija|uderzyl|uderzyla|pobil|pobila|dusil|katuje ..1 mnie`,
  tr: `olmek ..1 istiyorum; intihar; kendimi ..4 oldurmek|oldurecegim|oldurmeyi|oldurmeye|oldurecem|asacagim|asmak|asmayi; yasamak istemiyorum; yasamayi ..1 istemiyorum; canima ..2 kiymak|kiyacagim|kiymayi|kiyacam; hayatima ..3 son ..1 vermek|verecegim|vermeyi|verecem; hayatima son; kendimi ..1 kesiyorum; bileklerimi ..2 kestim|kesecegim|kesiyorum; kendime ..1 zarar ..0 veriyorum|verdim|verecegim;
    kutu|sise|avuc|dolusu|butun|tum|MANY|yirmi|otuz|kirk|elli ..3 hap|hapi|haplari|ilac|ilaci|ilaclari|tane hap ..1 ictim|yuttum|aldim|icecegim|yutacagim; kopruden|catidan|balkondan ..1 atlayacagim|atlamak istiyorum; veda mektubu ..1 yazdim|yaziyorum; beni ..3 dovuyor|dovdu|dovuyorlar|doverdi; bana ..2 vuruyor|tecavuz; babam|annem|sevgilim|kocam|abim|erkek arkadasim ..3 doverek|dovuyor|dovdu|siddet uyguluyor`,
  sv: `jag vill ..4 do|ta livet av mig|doda mig sjalv; vill ..2 inte ..1 leva; jag vill inte leva; orkar inte ..1 leva; ta|tar ..4 livet av mig; ta|tar ..1 mitt ..1 liv; sjalvmord; sjalvmordstankar; hanga|hanger ..0 mig sjalv; doda mig sjalv; skadar mig sjalv; skar mig ..3 armen|armarna|sjalv|handleden; hoppa framfor ..1 taget|tag; hela|MANY|tjugo|trettio|alla|burk|massa ..3 tabletter|piller|tabletterna|somntabletter; pappa|far|mamma|mor|pojkvan|kille|man|sambo|bror|han|hon ..2 slar|misshandlar|valdtog|slog ..1 mig -- i schack`,
  id: `ingin ..2 mati|bunuh diri; mau|pengen|pengin ..1 mati|bunuh diri; bunuh diri; tidak ..1 ingin|mau ..1 hidup; gak|nggak|ga ..1 mau|ingin ..1 hidup; mengakhiri|akhiri ..0 hidup|hidupku; lebih baik ..1 mati; menyayat|menyilet ..1 tangan|lengan|pergelangan; minum|menelan|telan ..3 satu botol|sebotol|semua|puluhan|segenggam ..1 pil|obat|obat tidur; ayah|bapak|ibu|papa|mama|pacar|suami|kakak|dia ..3 memukul|memukuli|mukulin|pukul|pukulin|menghajar|memperkosa ..0 saya|aku|gue|gw; memukuliku; memukulku; dipukuli ..1 ayah|bapak|pacar|suami|ibu`,
  tl: `gusto ..3 mamatay|nang mamatay|magpakamatay; gustong mamatay; magpakamatay; magpapakamatay; magbigti; magbibigti; ayoko ..1 nang mabuhay; ayoko na mabuhay; ayaw ko ..1 mabuhay; tapusin ..1 buhay ko; uminom ..2 isang bote|lahat ..2 gamot|tabletas; sinasaktan|binubugbog|sinuntok|sinasampal|ginahasa ..0 ako`,
  vi: `muon ..1 chet|tu tu|tu sat; tu tu; tu sat; khong muon ..1 song; chan song; ket lieu|ket thuc|cham dut ..1 cuoc doi|cuoc song; nhay ..1 lau|cau ..1 tu tu|chet; uong ..1 ca|het ..1 lo|vi|hop|chai ..1 thuoc; bo|cha|me|ba|anh ay|ban trai|chong|ong ay|toi ..2 danh ..0 toi|em|con|minh ..0 moi ngay|moi toi|moi dem|suot|hoai|nua; bi ..2 danh dap; bao hanh toi`,
  hi: `सुसाइड ..0 नोट|करना|कर लूंगा|कर लूंगी; suicide note ..1 likh;मरना ..0 चाहता|चाहती; मर जाना ..0 चाहता|चाहती; मुझे ..1 मरना ..0 है; मरने ..1 का ..1 मन; मर ..0 जाऊँ|जाऊं|जाऊँगा|जाऊँगी; आत्महत्या; खुदकुशी; ख़ुदकुशी; जीना नहीं ..0 चाहता|चाहती; जीने का ..1 मन नहीं; जान ..1 दे ..0 दूँगा|दूंगा|दूँगी|दूंगी; खुद को ..3 मारना|मार लूँ|मार डालूँ|खत्म|मार लूंगा|मार लूंगी|फांसी; फांसी लगा; सारी ..2 गोलियां|गोलियाँ|दवाइयां ..1 खा; मुझे ..4 मारता|मारते|मारती|पीटता|पीटते|पीटती|पीटा ..0 है|हैं|था|थे;
    marna ..0 chahta|chahti; mujhe ..1 marna ..0 hai; mar ..1 jana ..0 chahta|chahti; marne ka ..1 mann|man; mar ..0 jaun|jaoon|jaunga|jaungi ..0 kya|to|bas; khudkushi; jeena ..0 nahi|nahin ..0 chahta|chahti; suicide ..0 karna|kar lunga|kar lungi|karunga|karungi|kar lu; atmahatya; aatmahatya; jeene ka ..0 mann|man ..0 nahi|nahin; jaan ..1 de ..0 dunga|dungi|doonga|doongi|du|doon; apni jaan ..2 le|lena|loon|dena; khud ko ..3 khatam|maar lu|maar lunga|maar lungi|maar dalu|marna|maarna|fansi; saari|sari|MANY ..2 goliyan|goliya|dawai|sleeping pills ..1 kha; mujhe ..4 maarta|maarte|maarti|marte|marta|peetta|peette|pitte|pitta ..0 hai|hain|the|tha`,
  ur: 'خودکشی; مرنا ..1 چاہتا|چاہتی; مر جانا ..0 چاہتا|چاہتی; مرنے کا ..1 دل; جینا نہیں ..0 چاہتا|چاہتی; جان دے ..0 دوں; مجھے ..4 مارتا|مارتے|مارتی|پیٹتا|پیٹتے ..0 ہے|ہیں|تھا',
  ar: `اريد ان اموت; اريد ..1 الموت; اتمني الموت; اتمني لو اموت; انتحار; انتحر; اقتل نفسي; قتل نفسي; لا اريد ان اعيش; لا اريد العيش; مش عايز اعيش; مش عايزه اعيش; ما بدي عيش; ما ابي اعيش; عايز|عايزه|عاوز|عاوزه|ابي|ابغي|ودي|نفسي|بدي|حابب|حابه ..1 اموت|موت|انتحر; انهي حياتي; انهاء حياتي; ساقتل نفسي; هموت نفسي; اموت نفسي; اشنق نفسي; شنق نفسي; اقطع شرايين; قطعت شرايين; اجرح نفسي; رساله وداع;
    ابتلعت|بلعت|اخذت|تناولت|شربت|خدت|اكلت ..2 كل|جميع|علبه|شريط|زجاجه|كثير من|عشرين|ثلاثين|خمسين|MANY ..2 حبوب|الحبوب|حبه|دواء|الدواء|الادويه|الاقراص|قرص|البرشام|المنوم; ابتلعت ..0 حبوب|الحبوب|حبوبا ..0 منومه|كثيره|لاموت; يضربني -- علي كتفي|الحر; بيضربني; تضربني -- الشمس; بتضربني; يضربونني; بيضربوني; ضربني ..1 ابي|والدي|زوجي|اخي|خطيبي; يغتصبني|اغتصبني; يعنفني; يعذبني ..1 ابي|زوجي|والدي`,
  fa: 'می‌خواهم بمیرم; میخوام بمیرم; می خواهم بمیرم; خودکشی; خودم را ..1 بکشم|دار بزنم; خودمو ..1 بکشم|دار بزنم|میکشم|می کشم; خودم را میکشم; نمی‌خواهم زنده باشم; نمیخوام زنده باشم; نمیخوام زندگی کنم; دوست دارم بمیرم; قصد دارم بمیرم; یک مشت|یه مشت|همه|تمام ..2 قرص|قرصها|قرص ها ..1 خوردم; پدرم|بابام|شوهرم|دوست پسرم|مادرم|برادرم ..3 مرا|منو|من را ..3 میزند|میزنه|کتک|می زند|می زنه; کتکم ..0 میزند|میزنه|می زنه|زد',
  ru: `хочу ..4 умереть|сдохнуть|убить себя|покончить с собой|повеситься; самоубийство|самоубийстве|самоубийства|самоубийством|суицид|суициде|суицида|суицидальные; убить себя; убью себя; себя ..3 убью|убить|убью сегодня; убиваю себя; покончить ..2 с собой|с жизнью; покончу ..2 с собой; с собой ..5 покончу|покончить; не хочу ..3 жить; жить ..2 не хочу; не хочется жить; режу себя; режу ..1 руки|вены|запястья; таблеток ..0 наглоталась|наглотался; наглоталась|наглотался ..3 таблеток|снотворного|лекарств;
    ${RU.taken} ..1 ${RU.many} ..2 ${RU.pills}; вскрыть|вскрыла|вскрыл|порезала|порезал|вскрою|порежу ..2 вены; больше не могу жить; не могу ..1 больше жить; устала|устал жить; повеситься; повешусь; спрыгнуть|спрыгну|прыгну ..2 с крыши|с моста|с балкона|под поезд|из окна; броситься|брошусь ..0 под поезд; исчезнуть навсегда; предсмертная записка; предсмертную записку;
    ${WHO.ru} ..4 меня ..3 бьет|бьют|избивают|избивает|избил|избила|насилует|изнасиловал|ударил|душит|душил|бил; бьет|избивает|избил|изнасиловал|насилует ..1 меня -- током|дрожь`,
  uk: `хочу ..4 померти|вмерти|вбити себе|покінчити з собою|повіситися; самогубство|самогубства|суїцид; вбити себе; вб ю себе; уб ю себе; не хочу ..3 жити; жити ..1 не хочу; покінчити ..2 з собою|з життям; покінчу з собою; наковталася|наковтався ..2 таблеток|пігулок|ліків; випила|випив|прийняла|прийняв ..1 всю|усю|цілу|всі|пачку|упаковку|жменю ..2 таблеток|пігулок|ліків|таблетки; не можу ..1 більше жити; повіситися; повішуся; втомилася|втомився жити; ріжу ..1 себе|руки|вени; ${WHO.uk} ..3 мене ..2 б є|бив|побив|ґвалтує|зґвалтував; б є мене`,
  zh: `自杀; 自殺; 想死; 想..3死; 想..2去死; 去死了; 不想活; 轻生; 輕生; 结束生命; 結束生命; 结束..1自己..1生命; 結束..1自己..1生命; 活不下去; 活够了; 活夠了; 割腕; 割..1手腕; 吃了|吞了|喝了..4安眠药|安眠藥|农药|農藥; 吞药; 吞藥; 吃了|吞了..1整瓶|一瓶|一整瓶|整盒|一大把..3药|藥|药片|藥片; 整瓶药; 整瓶藥; 把..2整瓶|一瓶|整盒|所有|全部..5吃|吞; 遗书|遺書..3写|寫; 想跳楼; 想跳樓; 要跳楼; 要跳樓; 从..4跳下去; 從..4跳下去; 上吊; 服毒; 活着没意思; 活著沒意思; 活着..1没有意义; 活著..1沒有意義; 了结自己; 了結自己; 死了算了; 不如死了; 不如去死; 写|寫..3遗书|遺書; 遗书|遺書..2写|寫; 一了百了; 自残; 自殘; 伤害自己; 傷害自己; 杀了自己; 殺了自己; 弄死自己;
    他|她|爸|妈|媽|父亲|父親|母亲|母親|男友|女友|男朋友|老公|丈夫|哥哥|继父|繼父|室友|叔叔..6打我 -- 电|電|手机|手機|主意|球|招呼|们|們; 被..4打 -- 动|動|扰|擾|断|斷|败|敗|击|擊|扮|包|印|开|開; 家暴; 虐待我; 强奸; 強姦; 性侵`,
  ja: `死にたい; 死にたく|死のうと|死のうか; 死ぬ..1つもり; 死んでしまいたい; 自殺; 自死; 消えたい; 消えてしまいたい; 生きたくない; 生きていたくない; 生きていけない; 生きてる意味がない; 生きる意味がない; 生きている意味がない; 遺書..4書; リストカット; リスカ; 手首を切; 自傷; 薬を..2大量; 薬をたくさん飲; 薬を..2全部飲; 大量の薬を飲; 睡眠薬を..4飲みました|飲んだ -- が効|けど眠; 過剰摂取; オーバードーズ; 首を吊; 首吊り; 飛び降りたい; 飛び降りよう; 飛び降りる..1つもり; 線路に飛び込; 電車に飛び込; 生きるのに疲れ; 生きるのがつらい; 自分を殺; 命を絶; 父|母|彼氏|彼|夫|親|兄|お父さん|お母さん|先輩|継父..6殴|叩か|蹴ら|殴ら; 暴力を..2振る|受け|ふる; 虐待され; 性的暴行; レイプされ; 性暴力`,
  ko: `죽고 싶; 죽고싶; 죽으려고; 죽어버리고 싶; 죽어 버리고 싶; 죽을 ..0 생각; 자살; 살기 싫; 사라지고 싶; 자해; 살고 싶지 않; 목숨을 끊; 수면제를 ..3 먹었|삼켰; 약을 ..2 한 통|한통|통째로|전부|다|한꺼번에|수십 알|한 병 ..2 먹었|삼켰|먹어; 유서를|유서 ..2 썼|쓰고|써 놨|써놨; 아빠가|아버지가|엄마가|어머니가|부모님이|남자친구가|남친이|남편이|오빠가|형이 ..3 때려|때린|때렸|때리; 목을 매; 손목을 ..1 그었|그어|긋|베었; 뛰어내리고 싶; 뛰어내릴; 투신; 저를|나를|절|날|우리를 ..3 때려|때린|때렸|때리|폭행|구타|패요; 아빠|아버지|엄마|어머니|남자친구|남친|남편|오빠|새아빠 ..0 한테|에게 ..2 맞; 아빠한테|아버지한테|엄마한테|남자친구한테|남친한테|남편한테|아버지에게|아빠에게|남편에게|오빠한테 ..2 맞; 성폭행; 강간; 학대`,
  bn: 'মরতে চাই; মরে যেতে চাই; মরে যেতে ইচ্ছে; আত্মহত্যা; বাঁচতে চাই না; বাঁচতে ইচ্ছে করে না; নিজেকে শেষ; আমাকে ..3 মারে|মারধর|পেটায়',
  sw: 'nataka ..1 kufa|kujiua; kujiua; nitajiua; sitaki ..1 kuishi; kujinyonga; nitajinyonga; kunywa sumu; ananipiga -- picha|simu; hunipiga -- picha|simu; amenibaka; alinibaka',
  ro: `vreau sa ..1 mor|ma sinucid|ma omor|ma spanzur -- de ras|de foame|de somn; sa ma sinucid; ma sinucid; ma omor; sinucid; sinucidere; sinuciderea; nu mai vreau sa ..0 traiesc|exist; imi iau viata; sa mi iau viata; ma tai pe ..1 maini|brate|picioare|vene; tata|mama|iubitul|sotul|prietenul|fratele|el|ea ..3 ma ..0 bate|loveste|violeaza; m a ..0 batut|violat; am luat|am inghitit ..2 toate|cutie|flacon|MANY ..2 pastile|pastilele`,
  el: 'θελω να ..2 πεθανω|αυτοκτονησω|σκοτωθω; αυτοκτονια|αυτοκτονιας|αυτοκτονησω; να ..1 αυτοκτονησω; να σκοτωσω τον εαυτο μου; δεν θελω να ..1 ζω|ζησω; δεν θελω πια να ζω|ζησω; να βαλω τελος στη ζωη μου; κοβω τις φλεβες; πηρα|καταπια ..2 ολα|κουτι|MANY ..3 χαπια; με ..0 χτυπαει|χτυπα|δερνει|βιασε -- ο ηλιος|η ζεστη|το φως|το κυμα',
  cs: `chci|chtel bych|chtela bych ..4 umrit|se zabit|zemrit; chci ..1 se ..5 zabit|obesit; sebevrazda|sebevrazdu|sebevrazde|sebevrazdy|sebevrazedne; zabit se; zabiju se; se ..4 zabiju; nechci ..2 zit; uz nechci byt; vzit si zivot; vezmu si ..3 zivot; podrezat|podrizla|podrizl ..1 zily; rezu se; spolykala|spolykal|snedla|snedl ..2 vsechny|cele|krabicku|plato|MANY ..2 prasky|prasku|leky|tablet; skocit|skocim ..1 z mostu|ze strechy|pod vlak; otec|tata|matka|mama|pritel|manzel|bratr|otcim ..3 me|mne ..1 bije|mlati|bil|znasilnil; bije me|mlati me`,
  hu: `meg ..1 akarok halni; szeretnek meghalni; meghalni akarok; ongyilkos; ongyilkossag|ongyilkossagot|ongyilkossagra; nem akarok ..1 elni; megolom ..0 magam|magamat; megolni ..0 magam|magamat; vegzek magammal; felakasztom|felakasztani ..0 magam; bevettem ..2 osszes|egesz|doboz|MANY ..2 gyogyszert|tablettat|gyogyszeremet; apam|anyam|baratom|ferjem|batyam|neveloapam ..2 ver|megver|bantalmaz|megvert|veri`,
  yo: 'mo fe ku; mo fẹ kú; mo fe pa ara mi; pa ara mi',
}

/** Words that deny what follows them, and those that may stand between: "ich habe nie daran gedacht, mich umzubringen". */
export const DENIAL = {
  words:
    'no|nunca|jamas|tampoco|ne|pas|jamais|aucune|aucun|sans|nicht|nie|niemals|kein|keine|keinen|keinerlei|ohne|nao|non|mai|niet|nooit|geen|inte|aldrig|ingen|inga|nigdy|zaden|не|никогда|нет|ні|ніколи|немає|tidak|gak|nggak|belum|jangan|tak|khong|chua|chang|hindi|huwag|nu|niciodata|δεν|ποτε|δε|nikdy|nem|soha|sosem|sijawahi|sina',
  between:
    `he|habia|has|ha|me|pensado|pense|pienso|penso|estoy|pensando|pensato|pensavo|en|el|la|quiero|quisiera|queria|voy|a|deseo|tengo|ganas|de|intencion|intenciones|intentado|intente|planeo|considerado|haya|he sentido|idea|
    du tout|pense|penser|voulu|veux|envie|l|intention|vraiment|songe|au|d|eu|ete|compte|vais|tente|
    habe|hab|hatte|mich|ich wollte|daran|dran|darauf|daruber|gedacht|denken|denke|an|vor|wirklich|ernsthaft|je|jemals|im|leben|gedanken|gedanke|absicht|absichten|plan|plane|wunsch|zu|von|der|den|dem|das|nachgedacht|uberlegt|vorgehabt|versucht|einen|
    pensei|em|quis|vou|tive|tenho|vontade|nunca|jamais|tentei|o|no|
    ho|sto|voglio|vorrei|avuto|mai|piu volte|intenzione|di|al|avrei|ci|neanche|il|
    aan|om|te|over|eraan|ooit|van|plannen|gedachten|echt|nagedacht|mezelf|er|wil|neiging|
    att|tankt|pa|vill|velat|om|nagonsin|haft|tankar|planer|
    chce|chcialam|chcialem|mysle|myslalam|myslalem|zamierzam|planuje|mam|mysli|mialam|mialem|zamiaru|zeby|tym|nigdy|nie|
    хочу|думал|думала|думаю|о|об|собираюсь|хотел|хотела|было|мыслеи|мысли|про|том|чтобы|планирую|буду|пыталась|пытался|не|у|меня|думав|збираюся|хотів|хотіла|думок|
    ingin|mau|pernah|berpikir|untuk|akan|terpikir|ada|niat|pikiran|kepikiran|tentang|bao|gio|nghi|den|muon|co|y|dinh|se|viec|ko|naisip|ako|na|kailanman|balak|ang|mag|kong|
    vreau|sa|gandit|m|am|la|intentionez|niciodata|θελω|να|σκεφτηκα|σκεφτομαι|τη|μου|ma|se|sie|si|mezelf|εχω|σκεφτει|ποτε|την|jsem|nemyslel|nemyslela|na|nechtel|nechtela|gondoltam|akarok|lenni|vagyok|ra|kufikiria|kutaka|nia|ya`.replace(
      /\|\s+/g,
      '|',
    ),
  /** Words after one of denial that make it none: "nicht nur". */
  only: 'nur|solo|seulement|mehr|plus|alleen|apenas|somente|tylko|только|bara|weniger|menos|sure|sicher|mas',
} as const

/** Denials in the grammar of languages that are written without spaces, or say them last; `before` a phrase, and `after` one. */
export const DENIAL_OF: Readonly<Record<string, { before?: string; after?: string }>> = {
  zh: {
    before:
      '(?<!要(?=不要)|是(?=不是)|想(?=不想)|会(?=不会)|會(?=不會))(?:不|没|沒|从未|從未|未曾|别|無|无)(?:有|想过|想過|想|要|会|會|去|曾|打算|考虑过|考慮過|考虑|真的|真|是|因为|過|过|敢|愿意|願意|再|觉得|覺得|说|說|任何|的|念头){0,5}$',
    after:
      '(?:的|了)?(?:念头|念頭|想法|打算|意思)?(?:我)?(?:都|也)?(?:没有|沒有|从来没有|從來沒有|从没有过)(?!人|用|办法|意义|意義|希望|什么)',
  },
  ja: {
    after:
      '(?:したい|した|する|します|すること|を|は|と|とは|とか|って|なんて|なんか|など|つもり|わけ|では|じゃ|気持ち|気|考え|考えた|思った|こと|も|が|一度|もう|本気で|で|に|の|よう|という|いう){0,8}(?:ない|なかった|ありません|思わない|思いません|思ってい?ません|思ってい?ない|思わなかった|考えてい?ない|考えてい?ません|考えません|しない|しません|なくなった|なくなりました)',
  },
  ko: {
    after:
      '(?:을|를|은|이|하고 싶|할|하는|하려는|에 대해|지|지는|지도|진|다는|다고|고|한다는|하지|하지는|시도|시도를| (?:생각|생각해|마음|계획|의도|시도|적|본|해|해본|한|할|하고|싶|싶지|싶은|정말|전혀|한번도|절대)(?:은|는|이|가|을|를|도|해|하지|지|지는|을)?){0,8} ?(?:않|없(?!어지|애)|안 (?:해|할|했|하))|(?:은|다는) (?:건|것은|게|것이|거) 아니',
  },
  tr: {
    after:
      '(?: (?:etmek|etmeyi|etmeye|hic|asla|dusuncem|dusuncesi|gibi|bir|niyetim|hakkinda|aklima|gecmedi|aklimdan|de|da)){0,5} (?:istemiyorum|istemem|dusunmedim|dusunmuyorum|etmeyecegim|etmem|yok|gelmedi|gecmedi|degilim|istemedim)',
  },
  hi: {
    after:
      '(?: (?:करना|करने|के|बारे|में|कभी|का|की|विचार|ख्याल|मैंने|तो|karna|karne|ke|baare|bare|mein|me|kabhi|ka|ki|khayal|khyal|maine|to)){0,6} (?:नहीं|nahi|nahin)',
  },
  ur: { after: '(?: (?:کرنا|کرنے|کے|بارے|میں|کبھی|کا|کی|نے|خیال)){0,6} (?:نہیں)' },
  bn: { after: '(?: (?:করতে|করার|কথা|কখনো|চাই|ভাবি|ইচ্ছা|ইচ্ছে)){0,4} (?:না|নি|নেই)(?: |$)' },
  fa: { before: 'ن$', after: '(?: (?:فکر|هرگز|هم|را|به|هیچ وقت)){0,3} ?(?:نمی|نکرد|نخواهم)' },
  ar: {
    before:
      '(?:^|[ و])(?:لا|لم|لن|ما|مش|مو|ليس|ليست|بدون|ابدا|عمري ما|معنديش)(?: (?:اريد|ان|افكر|في|فكرت|يوما|ابدا|قط|عايز|عايزه|عاوز|بدي|ابغي|ارغب|انوي|احاول|كنت|اي|رغبه|نيه|عندي|لدي|ابي|علي|حتي)){0,4} (?:ال|بال|لل)?$',
  },
  de: {
    after: '(?: will| werde| wollte| mochte| wurde)? ich (?:mich|mir) (?:nicht|nie|niemals)(?! mehr)',
  },
}

/** What makes the words before it harmless: dying of laughter, to be hit by the sun, to win at chess. */
export const HARMLESS = {
  /** Within three words after the phrase. */
  after:
    'de risa|de la risa|de hambre|de sueno|de verguenza|de calor|de frio|de ganas|de amor|de aburrimiento|de envidia|de ternura|de sed|de pena|de viejo|de vieja|de nervios|el sol|la luz|el viento|el aire|el calor|un susto|la gripe|el color|la gana|de rire|de faim|de honte|de rir|de fome|de vergonha|de sono|de frio|de tanto rir|de estudar|de trabalhar|dal ridere|dalle risate|di risate|dal sonno|di fame|di freddo|di vergogna|di sonno|vor lachen|vor scham|vor hunger|vor langeweile|van het lachen|van de honger|van schaamte|ze smiechu|z glodu|ze wstydu|z nudow|со смеху|от смеха|от стыда|от скуки|со стыда|зі сміху|ketawa|tertawa|kelaparan|kakatawa|sa gutom|sa hiya|cuoi|smichy|hlady|av skratt|gulmekten|من الضحك|من الجوع|من الحر|من الكسوف|من البرد',
  /** In the phrase or within three words after it. */
  game: 'im schach|beim schach|im tennis|beim tennis|im kartenspiel|beim zocken|in fifa|bei fifa|beim training|au tennis|aux echecs|aux cartes|au ping pong|al ajedrez|en ajedrez|al tenis|en el ajedrez|en los videojuegos|a scacchi|a carte|a tennis|no xadrez|no jogo|w szachy|w karty|в шахматы|в карты|met schaken|bij het schaken|i schack',
  /** Right after a phrase in scripts without spaces: to miss somebody, a rate, prevention. */
  unspaced: '你|妳|我了|率|式|小队|小隊|防止|予防|対策|対策|ニュース|の名所|예방|률',
} as const

/** Words with which another clause begins: what comes after them is not of the verb before. */
export const CLAUSE_STARTS =
  'bevor|nachdem|sodass|und|aber|weil|dass|denn|wenn|oder|damit|obwohl|ob|en|maar|omdat|dat|als|of|want|zodat|i|ale|bo|ze|zeby|gdy|jesli|и|но|что|потому|если|а|protoze|kdyz|cuando|pero|porque'
