import { beforeAll, describe, expect, inject, test } from 'vitest'
import { call, send } from '../../../harness/client/call.ts'
import { newStaff, newStudent, type Student } from '../../../harness/factories/students.ts'
import { ASKED, BANK, invented, newModule, RIGHT } from '../../../harness/factories/training.ts'
import { serviceClient, withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')

type Question = { id: string; prompt: string; options: { id: string; text: string }[] }

let security: Student
beforeAll(async () => {
  security = await newStaff(project, 'security_admin')
})

const newCounselor = () => newStaff(project, 'counselor')
const module = (title?: string) => withDatabase(project, (sql) => newModule(sql, title))

function progress(person: Student, body: object) {
  return call(project, person.token, 'POST', 'api/training/progress', body)
}

/** Reads all of a module, and draws the questions of an attempt. */
async function started(person: Student, module_id: string) {
  await progress(person, { action: 'read', module_id, sections: ['s1', 's2'] })
  const { status, body } = await progress(person, { action: 'start', module_id })
  expect(status).toBe(200)
  return { id: String(body.attempt_id), questions: body.questions as Question[], text: JSON.stringify(body) }
}

/** Answers to questions of which so many are right. */
function answers(questions: readonly Question[], right: number) {
  return Object.fromEntries(
    questions.map(({ id, options }, place) => [
      id,
      options
        .filter(({ text }) => text.startsWith(RIGHT) === place < right)
        .slice(0, 1)
        .map((option) => option.id),
    ]),
  )
}

const submit = (person: Student, attempt_id: string, given: object) =>
  progress(person, { action: 'submit', attempt_id, answers: given })

const own = async (person: Student, module_id: string) => {
  const { body } = await call(project, person.token, 'GET', 'api/training/modules')
  return (body.modules as { module_id: string }[]).find((one) => one.module_id === module_id)
}

/** What the audit log holds of a target, as a security administrator reads it. */
async function audited(target_id: string) {
  const { data, error } = await security.client.rpc('read_audit_log', { target_id })
  if (error) throw error
  return data.toReversed()
}

describe('a security administrator', () => {
  test('stores a module with its questions, and its next version, and is in the audit log', async () => {
    const first = await call(project, security.token, 'POST', 'api/training/modules', {
      ...invented(),
      category: 'Data Protection',
    })
    expect(first.body).toEqual({
      id: expect.stringMatching(/^trn_[0-9a-f]{32}$/),
      title: 'An invented module',
      category: 'data_protection',
      difficulty: 'beginner',
      estimated_duration: 2,
      mandatory: false,
      published: true,
      version: 1,
      assessments: { pass_score: 80, questions_per_attempt: ASKED, questions: BANK },
    })
    const id = String(first.body.id)
    const next = await call(project, security.token, 'POST', 'api/training/modules', {
      ...invented('Renamed'),
      id,
    })
    expect(next.body).toMatchObject({ id, version: 2, title: 'Renamed' })
    const [added, changed] = await audited(id)
    expect(added).toMatchObject({
      action: 'training_changed',
      actor_id: security.id,
      target_type: 'training_modules',
    })
    expect(changed?.after).toEqual({ title: 'Renamed', version: 2 })
  })

  test('assigns it to a person or to a role, again with another date, and is in the audit log', async () => {
    const [module_id, counselor] = await Promise.all([module(), newCounselor()])
    const assign = (body: object) =>
      call(project, security.token, 'POST', 'api/training/assign', { module_id, ...body })
    const person = await assign({ user_id: counselor.id })
    expect(person.body).toMatchObject({ module_id, user_id: counselor.id, role: null, due_days: 30 })
    expect(await own(counselor, module_id)).toMatchObject({ status: 'assigned' })
    expect((await assign({ user_id: counselor.id, due_days: 7 })).body).toEqual({
      ...person.body,
      due_days: 7,
    })
    const role = await assign({ role: 'university_admin' })
    expect(role.body).toMatchObject({ user_id: null, role: 'university_admin' })
    const later = await newStaff(project, 'university_admin')
    expect(await own(later, module_id)).toMatchObject({ status: 'assigned', due_at: expect.any(String) })
    expect(await audited(String(person.body.id))).toMatchObject([
      { actor_id: security.id, subject_id: counselor.id, after: { module_id } },
      { actor_id: security.id, after: { due_days: 7 } },
    ])
  })

  test.each<[string, () => object | Promise<object>, number, string]>([
    ['nobody', () => ({}), 400, 'invalid_parameters'],
    ['a person and a role', () => ({ user_id: security.id, role: 'counselor' }), 400, 'invalid_parameters'],
    ['students', () => ({ role: 'student' }), 400, 'invalid_parameters'],
    ['a student', async () => ({ user_id: (await newStudent(project, [])).id }), 404, 'staff_not_found'],
    ['an account that there is not', () => ({ user_id: crypto.randomUUID() }), 404, 'staff_not_found'],
    [
      'a module that there is not',
      () => ({ module_id: 'trn_nowhere', role: 'counselor' }),
      404,
      'training_not_found',
    ],
  ])('cannot assign to %s', async (_, body, status, code) => {
    const module_id = await module()
    const answer = await call(project, security.token, 'POST', 'api/training/assign', {
      module_id,
      ...(await body()),
    })
    expect([answer.status, answer.body.code]).toEqual([status, code])
  })

  test('who publishes a mandatory module assigns it to all staff', async () => {
    const { body } = await call(project, security.token, 'POST', 'api/training/modules', {
      ...invented(),
      mandatory: true,
    })
    const id = String(body.id)
    for (const person of [await newCounselor(), security]) {
      expect(await own(person, id)).toMatchObject({ status: 'assigned' })
    }
    await withDatabase(project, (sql) => sql`delete from public.training_modules where id = ${id}`)
  })

  test('sees how each module stands, which nobody else does', async () => {
    const [module_id, counselor, colleague] = await Promise.all([module(), newCounselor(), newCounselor()])
    for (const { id } of [counselor, colleague]) {
      await call(project, security.token, 'POST', 'api/training/assign', { module_id, user_id: id })
    }
    const { id, questions } = await started(counselor, module_id)
    await submit(counselor, id, answers(questions, ASKED))
    await withDatabase(
      project,
      (sql) => sql`
        update public.training_assignments set created_at = now() - interval '31 days'
        where module_id = ${module_id} and user_id = ${colleague.id}`,
    )
    await withDatabase(
      project,
      (sql) =>
        sql`update public.user_roles set created_at = now() - interval '40 days' where user_id = ${colleague.id}`,
    )
    const { body } = await call(project, security.token, 'GET', 'api/training/statistics')
    expect(body.modules).toContainEqual({
      module_id,
      title: 'An invented module',
      version: 1,
      published: true,
      assigned: 2,
      completed: 1,
      in_progress: 0,
      overdue: 1,
      attempts: 1,
      passed: 1,
      average_score: 100,
    })
    expect(await own(colleague, module_id)).toMatchObject({ status: 'overdue' })
    expect((await call(project, counselor.token, 'GET', 'api/training/statistics')).body.code).toBe(
      'forbidden',
    )
  })

  test.each(['counselor', 'university_admin', 'student'] as const)('is not a %s', async (role) => {
    const person = role === 'student' ? await newStudent(project, []) : await newStaff(project, role)
    const module_id = await module()
    for (const [path, body] of [
      ['modules', invented()],
      ['modules', { ...invented(), id: module_id }],
      ['assign', { module_id, user_id: person.id }],
    ] as const) {
      const answer = await call(project, person.token, 'POST', `api/training/${path}`, body)
      expect([answer.status, answer.body.code]).toEqual([403, 'forbidden'])
    }
  })
})

describe('a learner', () => {
  test('reads, answers, passes, and has a certificate of 365 days', async () => {
    const [module_id, counselor] = await Promise.all([module(), newCounselor()])
    const unread = await progress(counselor, { action: 'start', module_id })
    expect([unread.status, unread.body.code]).toEqual([409, 'training_unread'])
    const read = await progress(counselor, { action: 'read', module_id, sections: ['s2'] })
    expect(read.body).toMatchObject({ sections_read: ['s2'], sections: ['s1', 's2'] })
    const { id, questions } = await started(counselor, module_id)
    expect(questions).toHaveLength(ASKED)
    const { body } = await submit(counselor, id, answers(questions, 4))
    expect(body).toMatchObject({ correct: 4, score: 80, passed: true })
    const certificate = Object(body.certificate)
    expect(Date.parse(certificate.expires_at) - Date.parse(certificate.issued_at)).toBe(365 * 86_400_000)
    expect(await own(counselor, module_id)).toMatchObject({
      status: 'completed',
      certificate_id: certificate.id,
      sections_read: [],
    })
    expect(await audited(id)).toMatchObject([{ action: 'training_graded', actor_id: counselor.id }])
  })

  test('gets other questions in another attempt, and the same while one is open', async () => {
    const module_id = await module()
    const drawn = await Promise.all(
      Array.from({ length: 8 }, async () => started(await newCounselor(), module_id)),
    )
    const prompts = drawn.map(({ questions }) => questions.map(({ prompt }) => prompt).join())
    expect(new Set(prompts).size).toBe(prompts.length)
    const counselor = await newCounselor()
    const attempts = await Promise.all(Array.from({ length: 5 }, () => started(counselor, module_id)))
    expect(new Set(attempts.map(({ text }) => text)).size).toBe(1)
  })

  test('fails with three of five, and may try three times in a day', async () => {
    const [module_id, counselor] = await Promise.all([module(), newCounselor()])
    for (let attempt = 0; attempt < 3; attempt++) {
      const { id, questions } = await started(counselor, module_id)
      expect((await submit(counselor, id, answers(questions, 3))).body).toMatchObject({
        passed: false,
        certificate: null,
      })
    }
    const { status, body } = await progress(counselor, { action: 'start', module_id })
    expect([status, body.code]).toEqual([429, 'rate_limited'])
    expect(Object(body.details).retry_after_s).toBeGreaterThan(86_000)
  })

  test('is told how many answers were right, and never which', async () => {
    const [module_id, counselor] = await Promise.all([module(), newCounselor()])
    const { id, questions, text } = await started(counselor, module_id)
    expect(text).not.toContain('correct')
    const { body } = await submit(counselor, id, answers(questions, 3))
    expect(Object.keys(body).sort()).toEqual(
      'action attempt_id certificate correct module_id passed pass_score questions score version'
        .split(' ')
        .sort(),
    )
  })

  test('cannot submit twice, not even twenty times at once', async () => {
    const [module_id, counselor] = await Promise.all([module(), newCounselor()])
    const { id, questions } = await started(counselor, module_id)
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, right) =>
        submit(counselor, id, answers(questions, right % (ASKED + 1))),
      ),
    )
    const codes = results.map(({ body }) => body.code ?? 'graded').sort()
    expect(codes).toEqual([...Array(19).fill('attempt_closed'), 'graded'])
    const { data } = await counselor.client
      .from('training_certificates')
      .select('id')
      .eq('module_id', module_id)
    expect(data?.length).toBeLessThanOrEqual(1)
  })

  test('cannot use the answers of a colleague, or answer for one', async () => {
    const [module_id, counselor, colleague] = await Promise.all([module(), newCounselor(), newCounselor()])
    const [mine, theirs] = [await started(counselor, module_id), await started(colleague, module_id)]
    const stolen = await submit(counselor, theirs.id, answers(theirs.questions, ASKED))
    expect([stolen.status, stolen.body.code]).toEqual([404, 'training_not_found'])
    const unasked = theirs.questions.filter(
      ({ id }) => !mine.questions.some((question) => question.id === id),
    )
    const replayed = await submit(counselor, mine.id, answers(unasked, unasked.length))
    expect([replayed.status, replayed.body.code]).toEqual([400, 'invalid_value'])
  })

  test.each([
    [
      'an option of another question',
      (one: Question, other: Question) => ({ [one.id]: [other.options[0]?.id] }),
    ],
    ['all options, which is wrong', null],
    ['a question twice under another name', (one: Question) => ({ [`${one.id} `]: [one.options[0]?.id] })],
    ['a prototype', () => JSON.parse('{"__proto__": ["x"]}')],
  ])('gains nothing by answering %s', async (_, make) => {
    const [module_id, counselor] = await Promise.all([module(), newCounselor()])
    const { id, questions } = await started(counselor, module_id)
    const [one, other] = questions
    if (!one || !other) throw new Error('Too few questions')
    if (make === null) {
      const all = Object.fromEntries(
        questions.map((question) => [question.id, question.options.map((o) => o.id)]),
      )
      expect((await submit(counselor, id, all)).body).toMatchObject({ correct: 0, passed: false })
      return
    }
    const { status } = await submit(counselor, id, make(one, other))
    expect(status).toBe(400)
    expect((await submit(counselor, id, answers(questions, ASKED))).body).toMatchObject({ passed: true })
  })

  test('who fails after an attempt has expired has no grade', async () => {
    const [module_id, counselor] = await Promise.all([module(), newCounselor()])
    const { id, questions } = await started(counselor, module_id)
    await withDatabase(
      project,
      (sql) => sql`
        update public.training_attempts set started_at = now() - interval '3 hours', expires_at = now() - interval '1 hour'
        where id = ${id}`,
    )
    expect((await submit(counselor, id, answers(questions, ASKED))).body.code).toBe('attempt_closed')
  })

  test.each(['GET', 'POST'])('who is a student has nothing of it (%s)', async (method) => {
    const [module_id, student] = await Promise.all([module(), newStudent(project, [])])
    if (method === 'POST') {
      expect((await progress(student, { action: 'start', module_id })).body.code).toBe('forbidden')
    } else {
      expect((await call(project, student.token, 'GET', 'api/training/modules')).body).toEqual({
        modules: [],
      })
      const { body } = await call(project, student.token, 'GET', `api/training/modules/${module_id}`)
      expect(body.code).toBe('training_not_found')
    }
  })
})

describe('the answers', () => {
  /** Every address where a learner could look, with the method. */
  const LOOKS: [string, string, object?][] = [
    ...[
      'training_modules',
      'training_assignments',
      'training_progress',
      'training_attempts',
      'training_certificates',
    ].map((table): [string, string] => ['GET', `rest/v1/${table}?select=*`]),
    ...['training_questions', 'training_papers', 'training_versions', 'training_due'].flatMap(
      (table): [string, string, object?][] => [
        ['GET', `rest/v1/${table}?select=*`],
        ['GET', `rest/v1/training_modules?select=*,${table}(*)`],
        ['GET', `rest/v1/training_attempts?select=*,${table}!inner(*)`],
        ['POST', 'functions/v1/api/database/select', { table }],
        ['POST', 'functions/v1/api/database/select', { table: `private.${table}` }],
        ['POST', 'functions/v1/api/database/select', { table: 'training_modules', columns: `*,${table}(*)` }],
      ],
    ),
    ['POST', 'rest/v1/rpc/my_training', {}],
    ['POST', 'rest/v1/rpc/training_statistics', {}],
    ['POST', 'rest/v1/rpc/read_audit_log', { page_limit: 1000 }],
    ['POST', 'rest/v1/rpc/export_my_data', {}],
    ['POST', 'rest/v1/rpc/store_training_module', { module: {} }],
    ['GET', 'functions/v1/api/training/modules'],
    ['GET', 'functions/v1/api/training/statistics'],
    ['GET', 'functions/v1/api/openapi.json'],
    ['GET', 'rest/v1/'],
    ['POST', 'graphql/v1', { query: '{ __schema { types { name } } }' }],
  ]

  test.each(['counselor', 'security_admin'] as const)('are read by a %s over no path', async (role) => {
    const [module_id, person] = await Promise.all([module(), newStaff(project, role)])
    const marks = await withDatabase(project, async (sql) => {
      const rows = await sql<{ mark: string }[]>`
        select unnest(correct) as mark from private.training_questions where module_id = ${module_id}`
      return rows.map(({ mark }) => mark)
    })
    expect(marks).toHaveLength(BANK)
    const colleague = await newCounselor()
    const passed = await started(colleague, module_id)
    await submit(colleague, passed.id, answers(passed.questions, ASKED))
    const looks: typeof LOOKS = [
      ...LOOKS,
      ['GET', `functions/v1/api/training/modules/${module_id}`],
      ['GET', `rest/v1/training_attempts?id=eq.${passed.id}`],
      ['POST', 'rest/v1/rpc/start_training_attempt', { module_id }],
      ['POST', 'rest/v1/rpc/submit_training_attempt', { attempt_id: passed.id, answers: {} }],
    ]
    for (const [method, path, body] of looks) {
      for (const profile of path.startsWith('rest') ? ['public', 'private'] : ['public']) {
        const response = await fetch(`${project.apiUrl}/${path}`, {
          method,
          headers: {
            apikey: project.publishableKey,
            authorization: `Bearer ${person.token}`,
            'accept-profile': profile,
            'content-profile': profile,
            ...(body && { 'content-type': 'application/json' }),
          },
          ...(body && { body: JSON.stringify(body) }),
        })
        const text = await response.text()
        expect({ path, profile, found: marks.filter((mark) => text.includes(mark)) }).toEqual({
          path,
          profile,
          found: [],
        })
        expect(text.includes(RIGHT), path).toBe(false)
      }
    }
  })

  test('are not in what the secret key reads', async () => {
    await module()
    const service = serviceClient(project)
    const { data } = await service.from('training_modules').select('*')
    expect(data?.length).toBeGreaterThan(0)
    expect(JSON.stringify(data)).not.toContain(RIGHT)
  })

  test('stay the same for an attempt when the module changes', async () => {
    const [module_id, counselor] = await Promise.all([module(), newCounselor()])
    const { id, questions } = await started(counselor, module_id)
    await call(project, security.token, 'POST', 'api/training/modules', {
      ...invented('Changed'),
      id: module_id,
    })
    expect((await submit(counselor, id, answers(questions, ASKED))).body).toMatchObject({
      version: 1,
      passed: true,
    })
  })
})

test('nothing is told without a token', async () => {
  for (const path of ['modules', 'statistics', 'modules/trn_hipaa_fundamentals']) {
    expect((await send(project, null, 'GET', `api/training/${path}`)).status).toBe(401)
  }
})
