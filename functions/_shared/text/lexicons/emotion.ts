import { entries } from '../lexicon.ts'

/** Words of joy, contentment and gratitude. */
export const JOY: readonly string[] = entries(`
  amazing, at ease, at peace, awesome, beautiful, blessed, brilliant, buzzin, buzzing, calm, celebrate,
  celebrated, celebrating, cheerful, comforted, content, contented, cosy, cozy, delighted, delightful,
  ecstatic, elated, energised, energized, enjoy, enjoyable, enjoyed, enjoying, enjoys, excited, excitement,
  exciting, fantastic, feel good, feeling good, felt good, fun, glad, good mood, grateful, gratitude, great,
  happier, happiest, happily, happiness, happy, hopeful, in good spirits, inspired, joy, joyful, joyous,
  laugh, laughed, laughing, laughs, laughter, looking forward, love, loved, lovely, loving, lucky,
  made my day, on top of the world, optimistic, over the moon, overjoyed, peaceful, playful, pleased, proud,
  refreshed, relaxed, relief, relieved, satisfied, satisfying, smile, smiled, smiles, smiling, stoked,
  thankful, thrilled, upbeat, uplifted, wonderful
`)

/** Words of sadness, loss and low mood. */
export const SADNESS: readonly string[] = entries(`
  abandoned, alone, ashamed, awful, been down, bit down, bleak, broken hearted, bummed, bummed out,
  burned out, burnt out, can't get out of bed, cried, cries, crushed, cry, crying, defeated, depressed,
  depressing, depression, despair, despairing, devastated, disappointed, disappointing, disappointment,
  discouraged, down in the dumps, drained, dreary, emptiness, empty, exhausted, failure, feel blue,
  feel down, feel low, feeling blue, feeling down, feeling low, felt down, felt low, gave up, give up,
  giving up, gloomy, grief, grieve, grieving, guilt, guilty, gutted, hate myself, heartbreaking,
  heartbroken, heavy hearted, helpless, helplessness, homesick, hopeless, hopelessness, hurt, hurting,
  hurts, isolated, isolation, joyless, kind of down, left out, loneliness, lonely, lonesome, lost interest,
  meaningless, melancholy, miserable, misery, miss her, miss him, miss home, miss my dad, miss my family,
  miss my mom, miss my mum, miss them, mourn, mourning, no appetite, no energy, no motivation, numb,
  pointless, pretty down, really down, regret, regretting, rejected, sad, sadder, saddest, sadly, sadness,
  shame, so down, sob, sobbed, sobbing, sorrow, sorrowful, struggling, suffer, suffered, suffering, tearful,
  tears, terrible, unhappiness, unhappy, unloved, unmotivated, unwanted, useless, weep, weeping, worn out,
  worthless, worthlessness
`)

/** Words of anger and irritation. */
export const ANGER: readonly string[] = entries(`
  aggravated, aggravating, anger, angrier, angrily, angry, annoyed, annoying, annoys, argue, argued,
  arguing, argument, betrayed, bitter, cranky, disgusted, disrespected, drives me crazy, driving me crazy,
  enraged, fed up, fight with, fighting with, fought with, frustrated, frustrating, frustration, fuming,
  furious, fury, gets on my nerves, got on my nerves, grumpy, hate, hated, hates, hating, hatred, hostile,
  infuriated, infuriating, insulted, irritable, irritated, irritating, jealous, livid, lose my temper,
  lost my temper, mad at, outrage, outraged, pissed, pissed off, rage, raging, really mad, resent,
  resentful, resentment, scream, screamed, screaming, short tempered, shouted, shouting, sick of,
  snapped at, so mad, spiteful, unfair, yell, yelled, yelling
`)

/** Words of worry, fear, stress and tension. */
export const ANXIETY: readonly string[] = entries(`
  afraid, alarmed, anxiety, anxious, anxiously, apprehensive, behind on, butterflies, can't relax,
  can't sleep, couldn't sleep, deadline, deadlines, desperate, dread, dreaded, dreading, fallen behind,
  falling behind, fear, fearful, fears, freak out, freaked out, freaking out, frightened, frightening,
  heart pounding, heart racing, heart was racing, hyperventilating, insecure, insomnia, intimidated,
  intimidating, jittery, knot in my stomach, mind racing, mind was racing, nervous, nervously, nightmare,
  nightmares, on edge, on my mind, overthink, overthinking, overthought, overwhelmed, overwhelming, panic,
  panic attack, panic attacks, panicked, panicking, panicky, paranoid, phobia, pressure, pressured,
  racing thoughts, restless, ruminating, rumination, scared, scary, self conscious, shaking, sleepless,
  spiraling, spiralling, stress, stressed, stressed out, stressful, stressing, tense, tension, terrified,
  terrifying, thoughts racing, too much on my plate, trembled, trembling, uncertain, uneasy, unsure,
  worked up, worried, worries, worry, worrying
`)
