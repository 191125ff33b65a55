import { entries } from '../lexicon.ts'

/** Ways of coping and of looking after oneself, of any culture or faith. */
export const COPING: readonly string[] = entries(`
  accept, acceptance, accepted, ask for help, asked for help, asking for help, baking, be kind to myself,
  bounce back, bounced back, breathe, breathing exercises, church, cooking, cope, coped, copes, coping,
  counseling, counselling, counsellor, counselor, deal with, dealing with, dealt with, deep breath,
  deep breaths, drawing, exercise, exercised, exercising, extension, figure it out, figured out,
  figuring out, gardening, get through, getting through, go for a run, go for a walk, going for a run,
  going for a walk, got some sleep, got through, grounded, grounding, gurdwara, gym, handle, handled,
  handling, healthy, helped me, helps me, hobbies, hobby, jogging, journal, journaled, journaling,
  keep going, keep trying, kept going, kept trying, kind to myself, learned from, learnt from,
  look after myself, looking after myself, manage, managed, managing, medication, meditate, meditated,
  meditating, meditation, mindfulness, mosque, music helps, office hours, one day at a time,
  one step at a time, open up, opened up, organised, organized, painting, perspective, planner, pray,
  prayed, prayer, praying, proud of myself, reach out, reached out, reaching out, reading, resilience,
  resilient, rest, rested, resting, routine, said no, schedule, self care, set boundaries,
  setting boundaries, sleep schedule, slept well, small steps, step by step, strength, stronger,
  study group, support group, synagogue, take a break, take care of myself, taking a break, taking breaks,
  taking care of myself, talk to, talked to, talking to, temple, therapist, therapy, to do list,
  took a break, took breaks, took care of myself, tutor, tutoring, walked, went for a run, went for a walk,
  work through, worked out, worked through, working through, yoga
`)

/** People who are close, and time and closeness with them; all kinds of families and ties alike. */
export const SOCIAL_CONNECTION: readonly string[] = entries(`
  aunt, auntie, band, belong, belonging, best friend, boyfriend, breakfast with, brother, brothers, buddies,
  buddy, called my, care about me, cared for, cares about me, catch up with, catching up with,
  caught up with, chat with, chatted, chatting, choir, classmate, classmates, close to, club, coffee with,
  community, connect with, connected, connection, cousin, cousins, dad, dinner with, facetime, facetimed,
  families, family, father, fiance, fiancee, flatmate, flatmates, friend, friends, friendship, friendships,
  gathering, girlfriend, grandfather, grandma, grandmother, grandpa, grandparents, group chat, hang out,
  hanging out, hangout, housemate, housemates, hug, hugged, hugs, hung out, husband, loved ones, lunch with,
  mate, mates, meet up, meeting up, mentor, met up, mom, mother, movie with, mum, my people, neighbor,
  neighbors, neighbour, neighbours, parents, partner, party, people who, phone call, roommate, roommates,
  sibling, siblings, sister, sisters, society, spouse, study group, support, supported, supporting,
  supportive, talk to, talked to, talking to, team, teammate, teammates, texted, there for me, together,
  uncle, video call, visited, visiting, wife, youth group
`)

/** Plans, hopes and coming times. */
export const FUTURE_FOCUS: readonly string[] = entries(`
  about to, after exams, after graduation, ahead, aim to, aiming to, applied for, applying for, can't wait,
  career, counting down, dream of, dreaming of, eventually, fresh start, future, goal, goals, graduate,
  graduating, hope that, hope to, hopefully, hoping to, i hope, i plan, i'm going to, in the future,
  intend to, intending to, internship, later on, look forward, looking forward, my goal, my goals, my plan,
  new start, next month, next semester, next summer, next term, next time, next week, next weekend,
  next year, one day, plan on, plan to, planned to, planning on, planning to, plans for, plans to,
  saving up, some day, someday, soon, the future, this weekend, tomorrow, upcoming, want to become
`)

/** All-or-nothing words, in the sense of Al-Mosaiwi and Johnstone 2018. */
export const ABSOLUTIST: readonly string[] = entries(`
  absolutely, all the time, always, complete, completely, constant, constantly, definitely, each and every,
  entire, entirely, ever, every single, every time, everybody, everyone, everything, everywhere, forever,
  fully, impossible, literally, must, never, no matter what, no one, nobody, nothing, nowhere, only ever,
  perfect, perfectly, the whole, total, totally, utterly, without fail
`)
