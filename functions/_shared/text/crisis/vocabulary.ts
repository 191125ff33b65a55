/** Every class of words by name: entries between commas, `*` for any ending, more than one word for a phrase. */
export const WORD_CLASSES: Readonly<Record<string, string>> = {
  // The speaker, other people, and small words of grammar.
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

  // Wishes, intents, thoughts and times.
  WISH: 'want, wants, wanted, wanting, wish, wishes, wished, wishing, hope, hopes, hoping, hoped, pray, prays, praying, prayed, long to, longing, crave, craving, yearn, yearning, desire, need, needs, needed, needing, rather, prefer, would love, id love, would like, id like, beg, begging, ache, aching, tempted, urge, urges, feel like, feeling like, felt like, fancy, keen, ready, deserve, deserves, deserved, meant to, supposed to, might as well, could just, if only, let me, asking to, asked to, better off, eager, willing, happy to, glad to, gladly, would welcome, look forward, looking forward, dying to, attracted, drawn, pull, temptation, impulse, best to, easier to, time to, time for me, time i, wouldnt mind, welcome',
  PLAN: 'plan, plans, planned, planning, going to, gon, gunna, intend, intends, intended, intending, intention, intentions, mean to, meaning to, will, ill, about to, decided, deciding, decide, determined, decision, set on, resolved, prepared, preparing, prepare, prep, preparations, scheduled, arranged, arranging, swear, promise, want to, trying, try, tried, attempt, attempted, attempting, going through with, go through with, went through with, commit, committing, committed, due to, bound to, might, may, could, would, id, can, nearly, almost, close to, chosen, choose, picked, booked, ready to, finally, rehears*, practised, practiced, set to, near to, moment from, moments from, seconds from, minutes from, verge of, brink of, point of',
  INTEND:
    'plan, plans, planned, planning, going to, intend, intends, intended, intending, intention, intentions, mean to, meaning to, about to, decided, determined, decision, resolved, prepared, preparing, scheduled, swear, promise, want to, wanted to, wants to, need to, have to, trying to, try to, tried to, nearly, almost, close to, ready to, ready, verge of, brink of, thinking of, thinking about, thought about, thought of, think about, think of, considering, considered, consider, tempted to, should, should just, might, might as well, urge to, feel like, thoughts of, thoughts about, keep imagining, imagine, imagining, picturing, picture, fantasising, fantasizing, fantasise, fantasize, planning on, contemplating, contemplate, dream of, dreaming of, dreamt of, dreamed of, gotta, got to, could just, might just, way to, ways to, how to, enough to, wanting to, where to, when to, scared ill, afraid ill, worried ill, promised myself, keep wanting, feeling like, idea of, allowed to, wish i could, courage to, guts to, nerve to, brave enough, bravery to, strength to, balls to, hoping to, set on, goal is, next step',
  THINK:
    'think, thinks, thinking, thought, thoughts, consider, considers, considered, considering, contemplat*, imagine, imagines, imagining, imagined, picture, pictures, picturing, pictured, fantasi*, fantasy, obsess*, dream, dreams, dreaming, dreamed, dreamt, daydream*, ponder*, wonder, wonders, wondering, wondered, research*, google*, googling, search, searches, searched, searching, looked up, looking up, look up, reading about, read about, reading up, read up, visions, vision, images, image, flashes, idea, ideas, ideation, mind, head, brain, voice, voices, toying, toy, flirt*, debating, debate, fixat*, ruminat*, visuali*, see myself, seeing myself, plotting, whisper*, intrusive, option, options, answer, solution, appeal*, attractive, comfort*, relief, peace, peaceful, soothing, calming, appealing, inviting, planning, mulling, weighing, entertain*, invad*, creep*, haunt*, draw*, consume*, occupied, preoccupied, popping up, pops up, keeps coming, keeps popping',
  NOW: 'tonight, tonite, today, tomorrow, now, soon, this evening, this afternoon, this morning, this week, this weekend, after this, in an hour, at midnight, later, any minute, before morning, by morning, by sunrise, sunrise, by then, next week, next month, next weekend, monday, tuesday, wednesday, thursday, friday, saturday, sunday, weekend, christmas, easter, birthday, graduation, new year, exams, finals, term, semester, january, february, march, april, june, july, august, september, october, november, december, anniversary, any day, moment, few days, few hours, day after, end of, halloween, valentines, midnight, dawn, spring, summer, autumn, winter, month',
  FOREVER:
    'forever, for ever, for good, permanently, permanent, completely, altogether, once and for all, eternal, eternally, eternity, for eternity, always, for all time, never again, the last time, last time, ever again, never to return, and never, the final time, one last time, final time, ever after, entirely, endless, endlessly, indefinitely, the rest of time, finally, all of it',
  ANYMORE:
    'anymore, any more, any longer, no more, much longer, no longer, further, another day, another year, another week, another month, another minute, another night, another second, another winter, another morning',
  RESOLVE:
    'decided, decide, settled, chosen, chose, choose, picked, pick, set, fixed, circled, marked, booked, worked out, figured out, know, planned, plan, selected, found, sorted, scheduled, made up my mind, determined, measured, calculated, researched, timed, mapped, scouted, looked up, looking up, checked, checking, googled, googling, searched, searching, research, researching, read, reading, study, studied, studying, compared, comparing, rehearsed, practised, practiced, counted, reached, prepared, picking, choosing, deciding, ordered',

  // Dying, killing oneself and the many names for both.
  SUICIDE:
    'by my own hand, at my own hand, suicide, suicides, suicidal, suicidally, suicidality, sewerslide, self termination, self delete, self deletion, self destruct, self immolat*, selfdeath, an hero, sudoku myself, kermit sewer, commit sudoku, commit die, commit dead, commit death, commit unalive, commit not alive, commit toaster, toaster bath, commit self, catch the bus, catching the bus, caught the bus, kicking the bucket, kick the bucket, bite the bullet for real, eat a bullet, eat lead, eating a bullet, swallow a bullet, bullet in my, neck rope, drink bleach, drinking bleach, blow my brains, blow my head, blowing my brains, my brains out, final exit, permanent nap, dirt nap, forever nap, big sleep, forever sleep, eternal sleep, eternal rest, last sleep, permanent sleep, endless sleep, forever box, self unalive, suislide, bridge myself, self murder',
  DIE: 'die, dying, dead, death, perish, perishing, deceased, corpse, my grave, a grave, my coffin, a coffin, a casket, cremated, six feet under, in the ground, a morgue, the morgue, pass away, passing away, flatline, snuff it, pop my clogs, popping my clogs, kark it, cark it, drop dead, the afterlife, cark, croak it, pushing up daisies, death bed, my deathbed, my maker, the grim reaper, the reaper, join my ancestors',
  DEAD: 'dead, dying, die, death, died, deceased, buried, cremated, six feet under, in the ground, in a grave, in my grave, in a coffin, in a box, gone forever, no longer alive, not alive, lifeless, passed away, in heaven, with god, a corpse, a ghost, in an urn',
  KILL: 'kill, kills, killing, killed, unalive, unaliving, unalived, unlive, unliving, end, ending, ended, off, offing, offed, hang, hanging, hung, hanged, shoot, shooting, shot, drown, drowning, drowned, stab, stabbing, stabbed, poison, poisoning, poisoned, neck, necking, delete, deleting, deleted, suffocat*, strangl*, asphyxiat*, electrocut*, gas, gassing, gassed, murder*, top, topping, topped, destroy, destroying, erase, erasing, erased, eliminat*, annihilat*, execut*, smother*, extinguish*, terminat*, dispose of, disposing of, get rid of, getting rid of, slaughter*, do away with, doing away with, done away with, make away with, wipe out, unsubscribe, yeet, yeeting, uninstall*, snuff, overdose, overdosing, exterminat*, obliterat*, immolat*, throttle, decapitat*, garrot*, crucify, rope, roping, dispatch, put an end to, putting an end to, burn alive, set fire to, krill, kermit',
  ENDING:
    'end, ends, ending, ended, finish, finishing, take, taking, took, taken, quit, quitting, leave, leaving, left, exit, exiting, escape, escaping, stop, stopping, terminat*, depart, departing, check out of, checking out of, check out from, throw away, throwing away, give up, giving up, given up, cut short, put an end to, putting an end to, put a stop to, bring an end, wipe out, switch off, switching off, turn off, turning off, log off, logging off, log out of, logging out of, opt out of, opting out of, tap out of, tapping out of, clock out of, drop out of, bow out of, bowing out of, step out of, stepping out of, get out of, pull the plug on, pulling the plug on, close the book on, closing the book on, close, closing, say goodbye to, saying goodbye to, goodbye to, delete, deleting, uninstall, uninstalling, unsubscribe from, unsubscribing from, rage quit, ragequit, ragequitting, alt f4, resign from, retire from, conclude, concluding, abandon, abandoning, extinguish, snuff out, erase, erasing, be done with, being done with, done with, finished with, through with, over with, part from, sign off, be rid of, free of, rest from, sick of, tired of, fed up with, fed up of, exhausted by, weary of, exhausted of, exhausted from, had enough of, too tired of, call it quits on, call time on, calling time on, draw a line under, ditch, cancel, cancelling, forfeit, surrender, lose, peace out of, drawing the curtain on, bring down the curtain',
  LIFE: 'life, lives, existence, my existence, this existence, living, existing, being alive, my being, my breathing, breathing, human life, mortal life, the misery of life, life itself',
  WORLD:
    'world, this world, the world, this earth, this planet, the planet, the earth, life, this life, this place for ever, this mortal coil, mortal coil, the building of life, existence, everyone behind, everything behind, this body, my body, earth, planet, this plane, this realm, this universe, this timeline, this simulation',
  IT_ALL:
    'it all, it, everything, things, this, all of it, all of this, all this, the whole thing, the pain, this pain, my pain, the suffering, my suffering, this suffering, my misery, the misery, this misery, the noise in my head, the hurt, the torment, this nightmare, the nightmare, this struggle, the struggle, my struggle, the fight, this fight, the agony, this agony, the hurting, this hell, the ache, the torture',
  SUFFERING:
    'pain, suffering, misery, torment, agony, nightmare, hurting, torture, anguish, ache, hell, struggle, darkness, emptiness',
  ALIVE:
    'alive, living, live, lived, exist, existing, existed, existence, breathe, breathing, breath, awake, wake up, waking up, wake, waking, woke up, survive, surviving, be alive, stay alive, staying alive, keep living, carry on living, be born, born, being alive, life, been born, keep breathing, keep existing, on this earth, on this planet, in this world, on earth, a heartbeat, keep waking, open my eyes, opened my eyes, open my eyes again',
  HERE: 'here, around, in this world, on this earth, on this planet, on the planet, on earth, there, among you, with you, in the world, in existence, anywhere, part of this world, in the picture',
  VANISH:
    'disappear, disappearing, vanish, vanishing, evaporate, fade away, fade, dissolve, cease to exist, cease to be, ceasing to exist, cease existing, stop existing, stopping existing, stop being, stop living, stop breathing, not exist, not existing, not be here, not being here, not be, not be alive, not being alive, not wake up, not waking up, never wake up, never waking up, dont wake up, didnt wake up, never woke up, wouldnt wake up, not wake, never wake, dont wake, not waking, be gone, being gone, was gone, were gone, not have to exist, not have been born, never been born, never born, never existed, never exist, didnt exist, wasnt born, werent born, wasnt alive, werent alive, wasnt here, werent here, wasnt around, not be around, not being around, hadnt been born, stop my heart, heart stop, heart stops, hearts stop, heart stopped, heart would stop, heart gives out, heart to stop, heart just stop, heart gave out, heart give out, heart fail, heart failed, not open my eyes, be no more, be nothing, become nothing, be erased, erased, be wiped out, unexist, not being, nonexist*, non existence, nonexistence, oblivion, nothingness, black out forever, stop waking up, not to wake, not to exist, not to be alive, be at peace, at rest, rest in peace, be at rest, cross over, slip away, drift off forever, drift away forever, swallow me, swallowed up, be swallowed, float away forever, melt into nothing, cease, sleep through forever, be taken, take me, god took me, god takes me, god to take me, take me home, come get me, not wake back up, stay asleep, undo my birth, undo being born, undo me, not have to wake, not have to be alive, be let go, switch me off, turn me off, switched off, turned off for good, blink out, go out like a light, be free of my body',
  FATAL:
    'hit by, hit me, run over, runs me over, ran me over, run me over, crash, crashes, crashed, cancer, terminal illness, terminal disease, terminal, tumour, tumor, heart attack, stroke, fatal, incurable, aneurysm, lightning, brain aneurysm, struck by, mowed down, mow me down, mows me down, run down, knocked down, knock me down, knocks me down, flatten me, flattens me, stab me, stabbed me, shoot me, shot me, shoots me, murder me, murdered me, murders me, murdered, kill me, kills me, killed me, would kill me, take me out, takes me out, took me out, wipe me out, finish me, finishes me, finished me off, finish me off, finishes me off, end me, ends me, hit and run, collapse on me, fall on me, fell on me, falls on me, crush me, crushed me, crushes me, plough into me, plow into me, ploughed into me, plows into me, slam into me, slammed into me, slams into me, carried me off, swallow me up, swallowed me, sweep me away, swept me away, drown me, meteor, asteroid, bus hit, car hit, truck hit, lorry hit, go off the road, came off the road, come off the road, skid, swerve, swerved, accident, illness, sick and die, allergic reaction, gas leak, plane went down, plane goes down, lift fell, ceiling fell, clip me, clipped me, catch me, lost control, lose control, put me out of my misery, put me down, put to sleep, put me to sleep, kidnapped and killed, didnt make it, dont make it, not make it, doesnt stop, didnt stop, not stop, wouldnt stop, failed me, give out, gives out, gave out, bury me, bullet, blood clot, coma',

  // Things, places and doses that can kill, and what people do with them.
  PILLS:
    'pills, pill, tablets, tablet, meds, med, medication, medications, medicine, paracetamol, paracetamols, tylenol, acetaminophen, advil, ibuprofen, aspirin, xanax, valium, insulin, antidepressants, antidepressant, benzos, benzodiazepines, opioids, painkillers, painkiller, painkillers, oxy, oxycodone, codeine, morphine, fentanyl, tramadol, ssris, sertraline, lithium, capsules, blister packs, blister pack, packet, packets, strips of, bottle, bottles, prescription, sedatives, sleepers, beta blockers, diazepam, lorazepam, zopiclone, ambien, amitriptyline, propranolol, heroin, barbiturates, drugs, drug, box of, boxes of, dose, doses, handful, amount',
  LETHAL_THING:
    'gun, guns, pistol, rifle, shotgun, revolver, handgun, firearm, bullets, bullet, ammo, ammunition, noose, ligature, helium, nitrogen, cyanide, nembutal, charcoal, carbon monoxide, exhaust pipe, hosepipe, rat poison, poison, bleach, antifreeze, pesticide, weedkiller, arsenic, ricin, hemlock, nightshade, chemicals, chemical, sodium nitrite, sn, razor, razors, razorblade, razorblades, blade, blades, scalpel, scalpels, box cutter, stanley knife, penknife, craft knife, boxcutter, knife, knives, rope, ropes, cord, belt, bathtub, toaster, plastic bag, insecticide, methadone, fentanyl, exit bag, tank of helium, gas canister, canister, scarf, bedsheet, bedsheets, cable, wire, shoelace, dressing gown cord, ceiling hook, hook',
  STRONG_THING:
    'gun, guns, pistol, rifle, shotgun, revolver, handgun, firearm, noose, ligature, cyanide, nembutal, carbon monoxide, rat poison, antifreeze, weedkiller, exit bag, sodium nitrite, exhaust fumes, exhaust pipe, razor blades, razor blade, razorblade, razorblades, lethal dose, fatal dose, lethal amount, fatal amount, deadly dose, scalpel',
  HEIGHT:
    'bridge, bridges, overpass, viaduct, flyover, roof, rooftop, roofs, rooftops, balcony, balconies, ledge, cliff, cliffs, tower, high rise, multistorey, multi storey, car park, carpark, parking garage, parking structure, window, windowsill, top floor, tenth floor, ninth floor, eighth floor, seventh floor, sixth floor, fifth floor, twelfth floor, dam, quarry, gorge, tall building, building, edge, railing, railings, barrier, parapet, quay, pier, crane, pylon, stairwell, banister, water tower, scaffold, scaffolding, fire escape, drop',
  TRACKS:
    'tracks, track, train, trains, railway, rails, rail, train line, train lines, platform, tube, subway, metro, level crossing, crossing, station, motorway, highway, freeway, traffic, lorry, lorries, truck, trucks, bus, buses, tram, oncoming, road, cars, dual carriageway, interstate, express, a car, ring road',
  WATER: 'river, sea, ocean, canal, lake, water, reservoir, waves, weir, harbour, harbor, bath, thames, pond',
  JUMP: 'jump, jumps, jumping, jumped, leap, leaping, leapt, step off, stepping off, step out, stepping out, step in front, stepping in front, step onto, stepping onto, throw myself, throwing myself, threw myself, fling myself, flinging myself, fall, falling, fell, drop, let go, letting go, lie down, lay down, lying down, lie on, lying on, walk off, walking off, walk in front, walking in front, walk into, walking into, walk out, run into, run in front, running in front, dive, drive off, driving off, drive into, driving into, swerve into, swerving into, crash into, crashing into, steer into, steering into, go over, going over, climb over, climbing over, climbed over, tip over, over the edge, off the edge, lean, leaning, tumble, slip off, plunge, hurl myself, chuck myself, toss myself, launch myself, yeet myself, roll off, sink, sinking, go under, stay under, wade, wading, walk in, walking in, jumpin, stepped in front, stepped out, stepped off, swerve, swerving, veer, veering, smash, crash, crashing, drive, driving, turn the wheel, yank the wheel, jerk the wheel, topple, throw me, lie, sit on, plow into, plough into, ploughing into, throwing me, not stop walking, keep walking, not stop, drift',
  HAVE: 'have, having, had, got, getting, get, ive, keep, keeping, kept, own, bought, buy, buying, order, ordered, ordering, arrived, came, found, find, stole, stolen, took, borrowed, saved, saving, save, saved up, saving up, collected, collecting, collect, gathered, gathering, hoard, hoarding, hoarded, stash, stashed, stashing, stockpile, stockpiling, stockpiled, hid, hide, hiding, hidden, stored, storing, store, lined up, lay out, laid out, laying out, counted, counting, count, counts, prepared, set aside, putting aside, put aside, put by, holding, hold, held, sitting, sits, lying, lies, waiting, there is, theres, there are, tied, tie, tying, loaded, load, loading, sharpened, bring, bringing, brought, packed, carry, carrying, carried, sleep with, next to me, beside me, in front of me, in my hand, in my hands, on my lap, in my lap, in my drawer, drawer, under my bed, under my pillow, under my mattress, by my bed, on my desk, on the table, in my bag, in my room, looking at, staring at, stare at, look at, in the car, in my closet, in my wardrobe, access to, know where, unlocked, pocketed, skipping, not taking, picked up, stolen, acquired, obtained, purchased, tested, testing, measured, measuring, wrapped, hooked up, fixed up, enough',
  TAKE: 'take, takes, taking, took, taken, swallow, swallows, swallowing, swallowed, down, downing, downed, neck, necked, necking, pop, popped, popping, ate, eat, eating, drink, drank, drinking, inject, injected, injecting, chug, chugged, gulp, gulped, ingest*, inhale, wash down, washed down, wash, mix, mixed, mixing, snort, snorted, crush, crushed, had, knock back, knocked back, scoff*, finish, empty, emptied',
  MANY: 'all, whole, every, too many, handful, handfuls, bunch, bottle, bottles, packet, packets, pack, packs, box, boxes, lot, lots, loads, entire, full, overdose, hundred, hundreds, dozen, dozens, ten, twelve, fifteen, sixteen, eighteen, twenty, twentyfour, thirty, forty, fifty, sixty, seventy, eighty, ninety, more than i should, pile, strip, strips, at once, in one go, in one sitting, 10, 12, 14, 15, 16, 18, 20, 24, 25, 28, 30, 32, 36, 40, 45, 48, 50, 56, 60, 64, 70, 80, 90, 96, 100, 120, 200, months worth, weeks worth, everything, stash, as many as, rest of, so many, tub, excess, large amount, extra',

  // Hurting oneself, and being hurt by others.
  HURT: 'cut, cuts, cutting, cutter, burn, burns, burning, burned, burnt, hurt, hurts, hurting, harm, harms, harming, harmed, scratch, scratches, scratching, scratched, hit, hits, hitting, bite, bites, biting, bit, bitten, punch, punches, punching, punched, injur*, bruise, bruises, bruising, bruised, carve, carves, carving, carved, slice, slices, slicing, sliced, slash, slashes, slashing, slashed, slit, slits, slitting, scrape, scraping, scraped, pinch, pinching, pinched, pick, picking, picked, pierce, piercing, stab, stabbing, stabbed, bang, bangs, banging, banged, slam, slams, slamming, slammed, smash, smashing, smashed, bash, bashing, bashed, whack, slap, slaps, slapping, slapped, claw, clawing, clawed, dig, digs, digging, dug, scald, scalding, scalded, brand, branding, branded, mutilat*, choke, choking, choked, beat, beating, beaten, whip, whipping, starve, starving, starved, starves, damage, damaging, damaged, break, breaking, broke, pull, pulling, pulled, rip, ripping, ripped, tear, tearing, tore, press, pressing, pressed, drag, dragging, dragged, stub, stubbing, stubbed, hold, holding, held, snap, snapping, snapped, bleed, bleeding, bled, torture, torturing, tortured, punish, punishing, punished, wound, wounding, wounded, put out, putting out, push, pushing, pushed, poke, poking, poked, strangle, strangling, peel, peeling, peeled, sear, nick, hack, rub, rubbing, jab, gouge, gouging, stick, sticking, stuck, run, running, thump, thumping, headbutt*, attack, attacking, abuse, abusing, draw blood, drew blood, drawing blood',
  CUTTING:
    'cut, cutting, cuts, carve, carved, carving, slice, slicing, sliced, slash, slashing, slashed, slit, slitting, burn, burning, burned, burnt, scratch, scratching, scratched, scar, scarring, claw, clawed, clawing, gouge, scald, scalded, stab, stabbing, mutilat*, bite, biting, bit, scrape, scraping, branded, peel, dig, digging, dug, punch, punched, punching, bruise, bruising',
  BODY: 'arm, arms, forearm, forearms, thigh, thighs, wrist, wrists, leg, legs, skin, stomach, belly, body, ankle, ankles, hip, hips, flesh, veins, vein, throat, neck, chest, knuckles, knuckle, hand, hands, head, face, calf, calves, shoulder, shoulders, breasts, ribs, palm, palms, fingers, feet, foot, knee, knees, scalp, hair, tummy, shins, shin, torso, upper arm, inner thigh, lips, cheek, cheeks',
  CUT_BODY:
    'arm, arms, forearm, forearms, thigh, thighs, wrist, wrists, leg, legs, skin, stomach, belly, body, ankle, ankles, hip, hips, flesh, veins, vein, throat, chest, calf, calves, inner thigh, upper arm, ribs, breasts, tummy, neck',
  WOUNDS:
    'cuts, cut, wounds, wound, scars, scar, burns, burn marks, burn, bruises, marks, mark, scabs, lines, line, scratches, gashes, gash, slits, stitches, bandages, bandage, bandaged, plasters, blood, bleeding, blisters, welts, tallies',
  TOOL: 'blade, blades, razor, razors, razorblade, scissors, knife, knives, lighter, cigarette, cigarettes, cig, cigs, iron, needle, needles, pin, pins, safety pin, compass, glass, shard, match, matches, sharpener, sharp, scalpel, nails, fingernails, rubber band, elastic band, hair tie, boiling water, hot water, wall, fists, fist, door, hammer, stapler, paperclip, broken glass, flame, candle, kettle, hair straighteners, straighteners, tweezers, lightbulb, mirror shard',
  SELF_HARM:
    'self harm, self harms, self harmed, self harming, selfharm, selfharmed, selfharming, selfharms, self injury, self injure, self injured, self injuring, self mutilat*, self mutilation, self mutilating, self harmer, self inflicted, self abuse, self punish, self punishment, deliberate harm, hurting myself, harming myself, cutting myself, sh relapse, cat scratches, styro, styros, barcode, barcodes',
  ABUSE:
    'hit, hits, hitting, beat, beats, beating, beaten, punch, punches, punched, punching, kick, kicks, kicked, kicking, slap, slaps, slapped, slapping, smack, smacks, smacked, smacking, burn, burns, burned, burning, burnt, shove, shoves, shoved, shoving, push, pushes, pushed, pushing, attack, attacks, attacked, attacking, assault, assaults, assaulted, assaulting, abuse, abuses, abused, abusing, hurt, hurts, hurting, threaten, threatens, threatened, threatening, stalk, stalks, stalked, stalking, grab, grabs, grabbed, grabbing, locks, locked, locking, choke, chokes, choked, choking, strangle, strangles, strangled, strangling, throttle, throttled, throttles, rape, rapes, raped, raping, molest, molests, molested, molesting, grope, gropes, groped, groping, stab, stabs, stabbed, drug, drugged, drugs, spiked, trap, traps, trapped, trapping, imprison*, confine*, blackmail*, extort*, whip, whips, whipped, batter, batters, battered, thrash, thrashes, thrashed, pin, pins, pinned, pinning, drag, drags, dragged, dragging, spit on, spits on, spat on, belt, belts, belted, caned, canes, cane, scald, scalded, bite, bites, bit, starve, starves, starved, force, forces, forced, forcing, coerce, coerces, coerced, coercing, controls, sexually abuse, sexually assault, terrori*, throw, throws, threw, traffick*, tie, tied, ties, tortures, tortured, touches, touching, touched, fondl*, follows, followed, following, harass, harasses, harassed, harassing, harms, harmed, harm, violat*, bully, bullies, bullied, bullying, torment*, choked, held down, holds down, corner, corners, cornered, exploit, exploits, exploited, isolate, isolates, monitors, hunt, hunts, cut, cuts, shake, shakes, shook, injured, injures, wrestle, knock, knocks, knocked, thump, thumps, thumped, headbutt*, lash, lashes, lashed, clout, clouts, undress, undressed, undresses, strip, stripped, strips, squeeze, squeezed, squeezes, suffocates, suffocated, smother, smothers, smothered, sell, sells, sold, pimped',
  SEVERE:
    'rape, raped, rapes, raping, molest, molested, molests, molesting, grope, groped, gropes, groping, fondl*, strangle, strangles, strangled, strangling, throttle, throttled, throttles, choke, chokes, choked, choking, stab, stabbed, stabs, traffick*, sexually, assaulted, beat, beats, beaten, beating, batters, battered, thrashes, thrashed, tortured, tortures, assaults, assault, slaps, slapped, slapping, punches, punched, punching, abuses, abused, abusing, burns, hits, hitting, kicks, smacks, smacked, whips, whipped, belted, belts, threatens, threatened, threatening, spiked, drugged, violated, violates, imprisoned, suffocated, smothered, shoves, shoved, shoving, hurts, terrorises, terrorizes, rapist, groom, groomed, grooming, coerced, coerces, coercing, blackmailed, blackmails, blackmailing, stalking, stalks, stalked, pinned, pins, assaulting, molester, caned, canes, thumps, thumped, hit, kicked, kicking',
  SEXUAL:
    'sex, sexual, sexually, sexual things, sleep with, touch him, naked, nudes, nude, intimate, oral, undress, strip, pornography, porn, bed, private parts, down there, breasts, underwear, inappropriately, inappropriate, without consent, consent, against my will, when i said no, said no, i say no, told him no, dirty pictures, under my clothes, under my skirt, between my legs, up my skirt, when i sleep, at night, while i sleep, in my sleep, while i was asleep, photos of me, pictures of me, private pictures, private photos, unconscious, passed out',
  FEAR: 'scared, afraid, terrified, frightened, fear, fearing, dread, terror, petrified, unsafe, not safe, dont feel safe, hiding from, hide from, running from, escape from, flinch, danger, worried',
  HOME: 'home, house, flat, room, bed, dorm, apartment, relationship, marriage, bedroom',
}

/** Concepts in the notation of `pattern.ts`: made of words, classes and earlier concepts. */
export const CONCEPTS: ReadonlyArray<readonly [name: string, patterns: readonly string[]]> = [
  [
    'KILL_SELF',
    [
      'KILL ..1 MYSELF',
      'KILL my ..2 self',
      'do|doing|done|did MYSELF in',
      'take|taking|took MYSELF out',
      'put|putting MYSELF down',
      'finish|finishing|finished MYSELF off',
      'end|ending|off|offing me',
      'i ..2 kill|killing me',
      'unalive|unaliving me',
      'throw|throwing|threw|hurl|fling ..1 my life away',
    ],
  ],
  [
    'END_LIFE',
    [
      'ENDING ..1 my|MINE ..2 life|existence|living',
      'end|ending|take|taking|took|ended ..1 life|lives|existence',
      'leave|leaving|exit|exiting|depart|departing|quit|escape|escaping|quitting ..1 this ..1 world|earth|planet|life|existence|body|plane|realm|universe|place',
      'ENDING LIFE',
      'stop|quit|cease|stopping|ceasing ..1 living|existing|breathing',
      'stop|quit|stopping|day|quits ..1 being a|alive|here|me ..1',
      'alt fa|f4 ..3 life',
      'check|checking|tap|tapping|clock|clocking|peace|bow|bowing|opt|opting|step|stepping|log|logging|sign|signing out|off ..1 of|from? ..1 life|existence|world|living|earth',
      'check|checking|tap|tapping|clock|clocking|bow|bowing|opt|opting out|off|early ..1 early|forever|permanently|good|life',
      'meet|meeting ..1 my maker',
      'join|joining|join|be|being with? ..3 in heaven|grave|afterlife',
      'join|joining ..1 the ..1 dead',
      'the other side',
      'permanent|final|last ..1 solution|exit|way out|sleep|rest|goodbye',
      'cut ..1 my ..1 life|time short',
      'pull|pulling the plug on me|MYSELF|my',
      'put|putting ..2 out of my misery',
      'put|putting an end to me|MYSELF|it|this|all|everything|my',
      'give|giving|gave ..1 up on|my ..1 life|living|ghost',
      'turn|turning|switch|switching|lights ..3 off|out ..2 forever|good|permanently|time',
      'one way ticket|trip|door|journey|street',
      'my ..3 story|book|chapter|journey|film|song|candle|road|time ..1 end|ends|ended|finish|finishes|over|close|closed|stop|run|runs|up|out|done|here',
      'last|final ..1 chapter|page|curtain|breath|heartbeat',
      'easy way out',
      'home|with|to|meet god|jesus|angels',
      'lights ..2 out',
    ],
  ],
  [
    'END_IT',
    [
      'ENDING ..1 IT_ALL',
      'do|doing|did it|something',
      'IT_ALL ..2 stop|end|over|gone|finished|done',
      'get it over with',
      'go|going|went through with it',
      'act|acting on it|them|these|my',
      'make it stop',
      'end|stop ..1 SUFFERING',
      'give in',
      'let go',
      'be done',
      'jump',
      'jumping',
      'pull the trigger',
      'follow through',
    ],
  ],
  [
    'NOT_LIVE',
    [
      'NEG ..4 want|wanting|wanted|wish|wishing|care|need|desire|intend|plan|planning|keen|interested|hoping|expect|expecting|deserve|like|choose|supposed|meant|interest|wanna|worth|wants|bothered|ask|asked|ready|see|energy|strength|enjoy|aim|trying ..4 ALIVE',
      'NEG ..3 want|wish|wanted|wanting|care|wants ..2 be ..2 HERE ..2 ANYMORE|alive|at',
      'NEG ..3 want|wish|wanted|wanting|care|wants|plan|planning|intend|expect ..2 be|being|exist ..1 in|on|part ..2 world|earth|planet|life',
      'NEG ..3 want|wanted|care|wish|plan|planning|intend|expect ..3 see|reach|make|turn|celebrate|live|meet ..2 tomorrow|morning|NOW|another|next|graduation|future|old|thirty|twenty|sunrise',
      'NEG ..1 be|being ..1 alive|breathing',
      'no|any|NEG|lost|losing|without|only|little|a ..3 reason|point|purpose|sense|use|will|desire|motivation|meaning ..3 ALIVE|go|going|carry|continue|continuing',
      'no|lost|losing|NEG ..3 will to ALIVE|go|carry',
      'NEG ..2 worth ALIVE|continuing|it ..1 anymore|living',
      'nothing ..3 ALIVE for',
      'nothing ..1 keeping|keeps|tying|ties|holding|holds me ..1 HERE|alive',
      'tired|sick|exhausted|done|fed|finished|weary|bored|through|drained|over|enough|worn ..3 of|with|from|by|out ..2 ALIVE|life|breathing',
      'hate|regret|resent|dread|despise|sorry|disappointed|angry|furious|upset|sad|gutted|ashamed|annoyed|guilty ..3 being|be|that|im|still|waking|was|i|am|woke|to|for ..2 alive|born|existing|up|breathing|living|here',
      'why ..4 still|bother|keep|even|am|was|were|did|should|do|stay ..2 alive|exist|existing|living|breathing|born|here|live|wake|survive',
      'cant|cannot|unable|couldnt|impossible ..2 ALIVE ..2 ANYMORE|this',
      'stay|staying|keep|keeping|be|being ..1 alive ..2 is|feels|just ..1 hard|too|exhausting|pointless|torture|difficult|impossible|unbearable|work|effort|punishment',
      'living ..1 is|feels ..3 hard|too|exhausting|pointless|torture|unbearable|chore|punishment|effort|hurts|painful|agony|hell|burden',
      'never asked|chose|wanted|agreed|consented|signed ..2 exist|born|alive|life|live|this',
      'against dying|death',
    ],
  ],
  [
    'GONE',
    [
      'VANISH',
      'gone',
      'away from here ..1 FOREVER',
      'asleep|sleep ..3 FOREVER',
      'sleep|asleep|bed|nap|night ..5 NEG ..3 wake|waking|woke|get|come|waken',
      'close my eyes ..4 NEG|FOREVER',
    ],
  ],
  ['DEATH', ['KILL_SELF', 'END_LIFE', 'SUICIDE', 'DIE', 'NOT_LIVE']],
]
