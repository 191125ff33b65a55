import * as z from 'zod'
import { serviceErrorOf } from '../_shared/data-api/postgrest-errors.ts'
import { id } from '../_shared/fields.ts'
import { endpoint } from '../_shared/http/serve.ts'
import { callerClient } from '../_shared/platform/clients.ts'
import {
  makeProgress,
  ownTraining,
  progressChange,
  progressMade,
  readModule,
  readOwnTraining,
} from '../_shared/training/learning.ts'
import { moduleId, newModule, readableModule, STAFF_ROLES, storedModule } from '../_shared/training/module.ts'

const MODULE = 'trn_hipaa_fundamentals'

const common = { tag: 'Training', security: 'user', limit: 'data-api' } as const

const bySecurityAdmin = { ...common, staff: ['security_admin'] } as const

const createModule = endpoint(
  {
    ...bySecurityAdmin,
    id: 'createTrainingModule',
    method: 'post',
    path: '/api/training/modules',
    summary: 'Stores a module, or the next version of one; for security administrators',
    description:
      'Attempts are graded by the version that they began with. No call gives the answers out again. Each change is in the audit log.',
    body: newModule,
    response: storedModule,
    errors: ['forbidden', 'training_not_found'],
    example: {
      body: {
        title: 'Locking the screen',
        category: 'data_protection',
        difficulty: 'beginner',
        estimated_duration: 2,
        content: { sections: [{ title: 'Why', text: 'Whoever passes can read what you leave open.' }] },
        assessments: {
          pass_score: 100,
          questions_per_attempt: 1,
          questions: [
            {
              prompt: 'When do you lock the screen?',
              options: [
                { text: 'Whenever I stand up', correct: true },
                { text: 'In the evening', correct: false },
              ],
            },
          ],
        },
      },
    },
  },
  async ({ body }, call) => {
    const { data, error } = await callerClient(call).rpc('create_training_module', { module: body })
    if (error) throw serviceErrorOf(error)
    return storedModule.parse(data)
  },
)

const due = z.object({
  id: z.string().describe('The assignment.'),
  module_id: moduleId,
  user_id: z.guid().nullable().describe('The person; null when it is for a role.'),
  role: z.enum(STAFF_ROLES).nullable().describe('The role; null when it is for a person.'),
  due_days: z.int().describe('Days until it is due.'),
  created_at: z.iso.datetime({ offset: true }).describe('When it was assigned first.'),
})

const assignTraining = endpoint(
  {
    ...bySecurityAdmin,
    id: 'assignTraining',
    method: 'post',
    path: '/api/training/assign',
    summary: 'Assigns a module to a member of staff or to a role; for security administrators',
    description:
      'For a role it holds for whoever has it now or later. Due so many days of 24 hours after the assignment or, if that is later, after the person got the role. Assigning it again changes the days.',
    body: z
      .strictObject({
        module_id: moduleId,
        user_id: id.optional().describe('The person: this or `role`.'),
        role: z.enum(STAFF_ROLES).optional().describe('The role: this or `user_id`.'),
        due_days: z.int().min(1).max(365).default(30).describe('Days until it is due.'),
      })
      .refine(({ user_id, role }) => (user_id === undefined) !== (role === undefined), {
        path: ['user_id'],
        message: 'name either a person or a role',
      }),
    response: due,
    errors: ['forbidden', 'training_not_found', 'staff_not_found'],
    example: { body: { module_id: MODULE, role: 'counselor', due_days: 30 } },
  },
  async ({ body }, call) => {
    const { module_id, user_id, role, due_days } = body
    const { data, error } = await callerClient(call)
      .rpc('assign_training', { module_id, person: user_id, role, due_days })
      .single()
    if (error) throw serviceErrorOf(error)
    return due.parse(data)
  },
)

const makeTrainingProgress = endpoint(
  {
    ...common,
    staff: STAFF_ROLES,
    id: 'makeTrainingProgress',
    method: 'post',
    path: '/api/training/progress',
    summary: 'Reads, starts or submits: the caller’s own progress; for staff',
    description:
      'Sections are marked as read, then an attempt is started, which draws questions, and submitted once within 2 hours. It is graded on the server; the response tells how many answers were right, and not which. Three attempts at a module in 24 hours. A certificate counts for 365 days.',
    body: progressChange,
    response: progressMade,
    errors: ['forbidden', 'training_not_found', 'invalid_value', 'training_unread', 'attempt_closed'],
    example: { body: { action: 'read', module_id: MODULE, sections: ['s1'] } },
  },
  async ({ body }, call) => makeProgress(callerClient(call), body),
)

const listOwnTraining = endpoint(
  {
    ...common,
    id: 'listOwnTraining',
    method: 'get',
    path: '/api/training/modules',
    summary: 'What the caller has to learn and may learn, what is due first; for staff',
    response: z.object({ modules: z.array(ownTraining).describe('The modules; none for students.') }),
  },
  async (_, call) => ({ modules: await readOwnTraining(callerClient(call)) }),
)

const readTrainingModule = endpoint(
  {
    ...common,
    id: 'readTrainingModule',
    method: 'get',
    path: '/api/training/modules/{id}',
    summary: 'Reads a module; for staff',
    params: z.object({ id: moduleId }),
    response: readableModule,
    errors: ['training_not_found'],
    example: { params: { id: MODULE } },
  },
  async ({ params }, call) => readModule(callerClient(call), params.id),
)

const count = z.int()

const readStatistics = endpoint(
  {
    ...bySecurityAdmin,
    id: 'readTrainingStatistics',
    method: 'get',
    path: '/api/training/statistics',
    summary: 'How each module stands; for security administrators',
    response: z.object({
      modules: z
        .array(
          z.object({
            module_id: moduleId,
            title: z.string().describe('Title.'),
            version: z.int().describe('Current version.'),
            published: z.boolean().describe('Whether staff see and take it.'),
            assigned: count.describe('People who have to take it.'),
            completed: count.describe('Those of them whose certificate counts.'),
            in_progress: count.describe('Those who have begun, and are not overdue.'),
            overdue: count.describe('Those who should have passed by now.'),
            attempts: count.describe('Attempts that were graded.'),
            passed: count.describe('Those that passed.'),
            average_score: z.number().nullable().describe('Average score of attempts, percent.'),
          }),
        )
        .describe('The modules, with the most overdue first.'),
    }),
    errors: ['forbidden'],
  },
  async (_, call) => {
    const { data, error } = await callerClient(call).rpc('training_statistics')
    if (error) throw serviceErrorOf(error)
    return { modules: data }
  },
)

/** `/api/training/*` as JSON. */
export const TRAINING = [
  listOwnTraining,
  readTrainingModule,
  makeTrainingProgress,
  createModule,
  assignTraining,
  readStatistics,
] as const
