/** The speaker, other people, and small words of grammar. */
export const PEOPLE_WORDS = {
  I: 'i, im, ive, id, ill',
  ME: 'i, im, ive, id, ill, me, my, mine, myself, meself',
  MYSELF: 'myself, meself, my own self, my whole self, this body of mine, my own body, yours truly',
  MINE: 'my, mine, this, the, own, our',
  NEG: 'not, dont, never, no, cant, cannot, wont, didnt, doesnt, isnt, wouldnt, couldnt, havent, hasnt, aint, wasnt, werent, nor, neither, shouldnt, without, nothing, nobody, hardly, barely, arent',
  BE: 'be, is, am, are, was, were, been, being, im, its, being, get, getting, got, become',
  POLITE:
    'just, really, actually, simply, only, literally, honestly, seriously, so, very, kinda, sort, kind, of, a, bit, probably, maybe, still, always, also, all, often, even, finally',
  HE: 'he, she, they, hes, shes, theyre, theyve, someone, somebody, people',
  CARE: 'look after, take care of, feed, adopt, care for, looking after, taking care of, cares for, take in, rehome, be kind to, keep an eye on, watch over',
  RELATIVE:
    'dad, daddy, father, stepdad, stepfather, mom, mum, mam, mama, mother, stepmom, stepmum, stepmother, brother, stepbrother, sister, uncle, aunt, auntie, cousin, grandfather, grandpa, grandad, granddad, grandmother, grandma, gran, parents, parent, family, husband, wife, boyfriend, bf, girlfriend, gf, partner, ex, fiance, fiancee, roommate, flatmate, housemate, landlord, landlady, boss, manager, supervisor, coach, teacher, tutor, professor, lecturer, neighbour, neighbor, priest, pastor, doctor, stepson, inlaws, brothers, sisters, uncles, flatmates, roommates, housemates, boyfriends, exboyfriend, lover, date, captain, senior, host, carer, guardian, foster',
  STRANGER:
    'guy, guys, man, men, boy, boys, bloke, lad, lads, woman, girl, stranger, gang, classmate, classmates, colleague, friend, mate, mates, frat, team, customer, driver, trainer',
  OTHER: 'he, she, they, hes, shes, theyre, theyve, theyll, hell, shell, someone, somebody, who, everyone',
  LOVED:
    'mum, mom, mam, dad, mother, father, parents, family, brother, brothers, sister, sisters, gran, grandma, nan, friends, friend, partner, girlfriend, boyfriend, wife, husband, kids, children, son, daughter, flatmate, flatmates, roommate, housemates, everyone, everybody, them, they, people, world, planet, others, you, yall, all, folks, loved ones, anyone, anybody, universe, earth, him, her, teammates, society, both, uni, lot',
} as const
