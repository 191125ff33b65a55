import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Generated or copied files, and this one. */
const SKIPPED = [
  /(^|\/)package-lock\.json$/,
  /^supabase\/migrations\//,
  /^types\//,
  /^functions\/_vendor\//,
  /^corpora\/crisis\/model\/pieces\.txt$/,
  /^functions\/_shared\/text\/lexicons\/english-words\.ts$/,
  /^corpora\/.*\.jsonl$/,
  /^docs\/data-model\.md$/,
  /^test\/unit\/terms\.test\.ts$/,
]

/** Where students speak: lists, rules and sentences of theirs use any word. */
const STUDENT_LANGUAGE = [
  /^functions\/_shared\/(text|textmodel|sessions)\//,
  /^corpora\//,
  /^test\/(unit|attacks)\/(text|sessions)/,
  /^test\/api\/(textmodel|sessions|pipeline\/transcription|reviews\/refused-words)/,
  /^docs\/accuracy\.md$/,
]

/** Sentences and lists of students' words alone, not the code that reads them. */
const SENTENCES = [/^corpora\//, /^functions\/_shared\/text\/(lexicons|crisis)\//]

type Term = {
  /** Matches the old term. */
  old: RegExp
  /** What to say in its place. */
  instead: string
  /** Paths where the word means something else. */
  except?: readonly RegExp[]
  /** Lines in which the word means something else. */
  unless?: RegExp
}

const TERMS: readonly Term[] = [
  { old: /doorbell/i, instead: 'webhook payload, dispatch' },
  {
    old: /\b(rings?|rung|rang|ringing)\b|\bring_|\bring[A-Z]/,
    instead: 'dispatch',
    except: STUDENT_LANGUAGE,
  },
  { old: /\bsow(n|s|ed|ing)?\b|\bSow(n|ing)\b/, instead: 'seed', except: STUDENT_LANGUAGE },
  { old: /invented past/i, instead: 'demonstration data' },
  { old: /\bhand(s|ed|ing)?[ _-]in\b|\bhandedIn\b/i, instead: 'submit', except: STUDENT_LANGUAGE },
  { old: /\b(given|gave)[ _]up\b|give_up/i, instead: 'failed', except: STUDENT_LANGUAGE },
  { old: /hopeless/i, instead: 'NonRetryableError', except: STUDENT_LANGUAGE },
  { old: /\bcomplete_check_in\b/, instead: 'store_fusion_result, submit_check_in' },
  { old: /\bcarriers?\b/i, instead: 'provider', except: STUDENT_LANGUAGE, unless: /mobile carrier/i },
  { old: /\bjudge(s|d|ment)?\b/i, instead: 'classify', except: STUDENT_LANGUAGE },
  { old: /maybe_sent|maybeSent|send_again|sendAgain/, instead: 'unconfirmed, requeue' },
  { old: /\bforget[_-]\w/, instead: 'purge_*' },
  {
    old: /close_days|closed_through|closed through|\bstandings\b/i,
    instead: 'rollup, aggregated_through, snapshot',
  },
  {
    old: /\bstretch(es|ed)?\b/i,
    instead: 'window',
    unless: /speech in short stretches|a good stretch|an ordinary stretch/,
  },
  { old: /resemblance|resembles-/i, instead: 'similarity' },
  { old: /\bgrave(r|st|ly)?\b(?! accent)/i, instead: 'crisis', except: SENTENCES },
  { old: /\b(firm|loose)(ly)? rules?\b|\bisFirm\b|\bisLoose\b/i, instead: 'literal and pattern rule' },
  { old: /\bsteer(s|ing|ed)?\b/i, instead: 'prompt injection', except: SENTENCES },
  { old: /\bunspoken\b/i, instead: 'encoded text', except: SENTENCES },
  {
    old: /\brefusals?\b|\brefusalOf\b/i,
    instead: 'error',
    unless: /refusal: (null|z\.|')|\.refusal\b|"refusal"|\bmodel\b/,
  },
  { old: /\bNOBODY\b|\bExchange\b/, instead: 'null, request context', except: [/^local\//, /local-/] },
  { old: /\badmit(s|ted|ting)?\b/i, instead: 'authorize', except: [...SENTENCES, /^local\//, /local-/] },
  {
    old: /take_\w*allowance|\bAllowance\b|hold_check_in_of/,
    instead: 'consume_rate_limit, lock_check_in_for_job',
  },
  { old: /\bstills\b/i, instead: 'images' },
  { old: /_engines\b|\bengines\b/i, instead: 'vendored bundles', unless: /"engines": \{/ },
  { old: /palette/i, instead: 'lookup table' },
  { old: /\bkept[ -]instance|keptInstance|KeptInstance/, instead: 'reusable instance' },
  { old: /\bnote_read\b|\bnoted\b/i, instead: 'log_access, logged', except: STUDENT_LANGUAGE },
  { old: /\bnobody who (is|was)\b|\bwho is not signed in\b|\bwhere unsaid\b/i, instead: 'plain English' },
  // Storage itself calls what a request does an operation (`storage.operation()` in policies).
  {
    old: /\boperations\.ts\b|: Operation\b|\boperation\(\{/,
    instead: 'routes, route',
    except: [/^local\/src\/storage\//],
  },
  {
    old: /\w+Answer\b|\banswers\.ts\b|\banswerError\b|\bis answered with\b/,
    instead: 'response',
    except: SENTENCES,
  },
  { old: /_shared\/(edge|contract)\b/, instead: '_shared/http, _shared/openapi' },
  { old: /bench:policies/, instead: 'bench:security-policies' },
  {
    old: /\btak(e|es|ing) turns\b|\bturns (between|of accounts)\b|\bturnsOf\b|\bwhose turn\b|\bturn comes\b/i,
    instead: 'alternately, place, limit',
    except: [/^functions\/_shared\/audio\//, /^docs\/scoring\.md$/, /^corpora\//],
  },
  {
    old: /train:crisis|\btrain(s|ed)? (on|a network)\b/i,
    instead: 'fit:crisis, fitted to',
    except: [/^corpora\/.*\.(ts|txt)$/],
  },
  { old: /\btest or production\b/i, instead: 'staging or production' },
]

const FILES = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => /\.(ts|sql|md|toml|json|yml|example)$/.test(path))
  .filter((path) => SKIPPED.every((skipped) => !skipped.test(path)))
  .filter((path) => statSync(join(ROOT, path), { throwIfNoEntry: false })?.isFile())
  .map((path) => ({ path, lines: readFileSync(join(ROOT, path), 'utf8').split('\n') }))

describe('the old terms are gone', () => {
  test.each(TERMS)('$old: $instead', ({ old, except = [], unless }) => {
    const left = FILES.filter(({ path }) => !except.some((place) => place.test(path))).flatMap(
      ({ path, lines }) =>
        lines.flatMap((line, index) =>
          old.test(line) && !unless?.test(line) ? [`${path}:${index + 1} ${line.trim().slice(0, 100)}`] : [],
        ),
    )
    expect(left).toEqual([])
  })

  test('exceptions are of files that are there', () => {
    const excepted = new Set(TERMS.flatMap(({ except = [] }) => except))
    expect([...excepted].filter((place) => !FILES.some(({ path }) => place.test(path)))).toEqual([])
  })

  test('also in the names of files', () => {
    const named = FILES.flatMap(({ path }) =>
      TERMS.filter(
        ({ old, except = [] }) =>
          old.test(path.replace(/[-_./]/g, ' ')) && !except.some((place) => place.test(path)),
      ).map(({ old }) => `${path}: ${old}`),
    )
    expect(named).toEqual([])
  })
})
