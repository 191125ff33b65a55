import { entries } from '../lexicon.ts'

/** What students talk about: theme and the words that show it. A word may show more than one. */
export const THEMES: Readonly<Record<string, readonly string[]>> = {
  sleep: entries(`
    all nighter, asleep, bedtime, insomnia, nap, napping, naps, nightmares, sleep, sleeping, sleepy, slept,
    stayed up, tired, up all night, wake up, woke up
  `),
  exams: entries(`
    exam, exams, final exam, finals, midterm, midterms, quiz, quizzes, revise, revising, revision, test,
    tests
  `),
  studies: entries(`
    assignment, assignments, class, classes, college, course, courses, coursework, deadline, deadlines,
    degree, dissertation, essay, essays, grade, grades, group project, homework, lab, lecture, lecturer,
    lectures, library, module, modules, paper, presentation, professor, professors, school, semester,
    seminar, studied, study, studying, thesis, university
  `),
  friends: entries(`
    best friend, friend, friends, friendship, friendships, group chat, hang out, hanging out, hung out,
    mates, party
  `),
  family: entries(`
    aunt, brother, brothers, cousin, cousins, dad, family, father, grandfather, grandma, grandmother,
    grandpa, mom, mother, mum, parents, siblings, sister, sisters, uncle
  `),
  relationships: entries(`
    boyfriend, break up, breakup, broke up, crush, date night, dating, divorce, fiance, fiancee, girlfriend,
    husband, partner, relationship, relationships, wife
  `),
  loneliness: entries(`
    alone, homesick, isolated, isolation, left out, loneliness, lonely, no friends, no one to talk to,
    nobody to talk to
  `),
  money: entries(`
    afford, bills, budget, debt, fees, finances, financial, loan, loans, money, paycheck, rent, scholarship,
    tuition
  `),
  work: entries(`
    at work, boss, colleagues, coworker, coworkers, internship, interview, interviews, job, jobs,
    my manager, part time, shift, shifts, to work, workplace
  `),
  health: entries(`
    appointment, clinic, covid, diagnosed, diagnosis, doctor, fever, flu, headache, headaches, health,
    hospital, ill, illness, injured, injury, medication, meds, migraine, pain, sick
  `),
  'mental health': entries(`
    anxiety, counseling, counselling, counsellor, counselor, depressed, depression, mental health, panic attack,
    panic attacks, therapist, therapy
  `),
  stress: entries(`
    burned out, burnout, burnt out, overwhelmed, stress, stressed, stressed out, stressful, too much on my plate
  `),
  food: entries(`
    appetite, ate, breakfast, cooked, cooking, diet, dinner, eat, eating, food, lunch, meal, meals
  `),
  exercise: entries(`
    basketball, climbing, exercise, exercising, football, gym, hiking, jogging, practice, rugby, run,
    running, soccer, swimming, tennis, training, walk, walked, workout, workouts, yoga
  `),
  home: entries(`
    apartment, dorm, dorms, flat, flatmate, flatmates, halls, housemate, housemates, landlord, moved out,
    moving in, moving out, roommate, roommates
  `),
  loss: entries(`
    a death, aunt died, brother died, cat died, dad died, died last, dog died, father died, friend died, funeral, gran died,
    grandad died, grandfather died, grandma died, grandmother died, grief, grieving, he died, her death, his death,
    lost my aunt, lost my brother, lost my dad, lost my father, lost my friend, lost my gran, lost my grandad,
    lost my grandfather, lost my grandma, lost my grandmother, lost my mom, lost my mother, lost my mum, lost my nan,
    lost my sister, lost my uncle, mom died, mother died, mourning, mum died, nan died, passed away, she died, sister died,
    the death of, their death, they died, uncle died
  `),
  future: entries(`
    after college, after university, career, future, graduate, graduating, graduation, next year, plans
  `),
  'alcohol and drugs': entries(`
    alcohol, drinking, drugs, drunk, hangover, hungover, smoking, vaping, weed
  `),
  hobbies: entries(`
    baking, choir, dance, dancing, drawing, film, gaming, gardening, guitar, hobbies, hobby, movie, movies,
    music, painting, photography, piano, reading, video games
  `),
  faith: entries(`
    church, faith, gurdwara, mosque, pray, prayed, prayer, praying, synagogue, temple
  `),
  discrimination: entries(`
    antisemitism, bullied, bullying, discriminated, discrimination, harassed, harassment, homophobia,
    homophobic, islamophobia, racism, racist, sexism, sexist, transphobia, transphobic
  `),
}

/**
 * Themes that are special categories of personal data (GDPR, article 9), or near them. A word in passing ("past the church", "sick
 * of it"), what others do, and what is studied do not make one of them a topic.
 */
export const SENSITIVE_THEMES: ReadonlySet<string> = new Set([
  'health',
  'mental health',
  'alcohol and drugs',
  'faith',
  'discrimination',
])
