import { describe, expect, test } from 'vitest'
import { detectCrisis } from '../../../functions/_shared/text/crisis/detect.ts'

const level = (text: string) => detectCrisis(text).level

describe('a yes to a question about a crisis is the speaker’s own', () => {
  test.each([
    'The counsellor asked if I was suicidal and I said yes.',
    'The GP asked me if I had thoughts of killing myself and I said yes, most days.',
    'Have you had thoughts of killing yourself? Yes.',
    'Do you ever think about ending your life? Honestly, yes.',
    'The form asked about thoughts of hurting myself and I ticked nearly every day.',
    'There was a question on hurting myself and I put several days.',
    'The nurse asked me straight out if I wanted to kill myself and I nodded.',
    'At the health centre they asked whether I had been thinking about suicide and I had to say yes.',
    'The GP went through a checklist, asked about suicidal thoughts, and I confirmed that I had them.',
    'they asked do you want to die and i said sometimes',
    'In the questionnaire I ticked more than half the days for being better off dead.',
    'He asked if I was going to hurt myself and I said I don’t know, maybe.',
  ])('%s', (text) => {
    expect(level(text)).toBe('high')
  })
})

describe('so is a no that is taken back', () => {
  test.each([
    'The counsellor asked if I was suicidal and I said no but that was a lie.',
    'My tutor asked if I felt suicidal and I told her no because I was scared, but I lied.',
    'My advisor asked whether I was thinking of hurting myself and I said no, which was not true.',
    'someone from wellbeing asked me if i was suicidal i said no but honestly i am',
    "I'm not going to kill myself or anything, but I do think about it every day.",
    'I am not planning to end my life, but I think about it most days.',
  ])('%s', (text) => {
    expect(level(text)).toBe('high')
  })
})

describe('a no that stands lowers what was asked', () => {
  test.each([
    'On the questionnaire I put not at all for the last question, the one about being better off dead.',
    'The doctor asked if I had thoughts of killing myself and I said no, not at all.',
    'On the form about thoughts of hurting myself I ticked never.',
    'They asked me whether I wanted to die and I honestly said no.',
    'The PHQ asks about being better off dead and I scored zero on that one.',
    'Are you suicidal? No, I am fine, thanks for asking.',
    'My GP asked if I ever think of ending my life, and I never have.',
    "My mum asked if I was suicidal, and I'm not, I'm just tired.",
  ])('%s', (text) => {
    expect(['none', 'mild']).toContain(level(text))
  })
})

describe('a no to something else lowers nothing', () => {
  test.each([
    'They asked how I was and I said not great, I want to die.',
    'They asked if I was okay and I said no, I want to kill myself.',
    'When my mum asked about my week I wanted to die, but I said nothing.',
    'I keep asking myself why I should go on. I want to kill myself tonight and I said no to the party.',
    'I said no to the party because I want to die.',
    'I left every question blank. I want to kill myself and I told nobody.',
    'Do you know what, I want to die. No, really.',
  ])('%s', (text) => {
    expect(level(text)).toBe('high')
  })
})

test('an answer of somebody else is not the speaker’s', () => {
  expect(['none', 'mild']).toContain(level('I asked my flatmate if she was suicidal and she said yes.'))
})

test('a suicide that did not happen only because of something is none that was denied', () => {
  expect(level("I didn't kill myself last night only because my sister rang.")).toBe('high')
  expect(level("The only reason I didn't kill myself yesterday is my cat.")).toBe('high')
  expect(level('I have never wanted to kill myself.')).toBe('mild')
})
