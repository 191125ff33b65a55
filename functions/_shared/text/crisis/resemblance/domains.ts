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
export const DOMAINS_OF: ReadonlyMap<string, readonly string[]> = byWord()

function byWord(): ReadonlyMap<string, readonly string[]> {
  const domains = new Map<string, string[]>()
  for (const [name, words] of Object.entries(DOMAINS)) {
    for (const word of words.split(' ')) domains.set(word, [...(domains.get(word) ?? []), name])
  }
  return domains
}
