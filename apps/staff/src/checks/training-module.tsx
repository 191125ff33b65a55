import { useState } from 'react'
import { useParams } from 'wouter'
import { Constants, type Enums, type Tables } from '../../../../types/database.ts'
import { Switch } from '../../../ui/choices.tsx'
import { Confirm, Dialog } from '../../../ui/dialog.tsx'
import { ButtonLink, Loaded, Problem, Section } from '../../../ui/elements.tsx'
import { Filters, Select } from '../../../ui/filters.tsx'
import { Field, Form } from '../../../ui/form.tsx'
import { P, T, useTexts } from '../../../ui/language.tsx'
import { done, useChange, useRead, useService } from '../../../ui/service.tsx'
import { Ago, Facts, When } from '../../../ui/shown.tsx'
import { DataTable, Pager } from '../../../ui/table.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { Amount } from './amount.tsx'
import { Back, Missing, Name, NamedScreen, Standing } from './shown.tsx'
import { useTrainingStatistics } from './training-modules.tsx'

const PAGE = 50

const STANDINGS = ['overdue', 'assigned', 'in_progress', 'completed'] as const

type StaffRole = Exclude<Enums<'app_role'>, 'student'>
const ROLES = Constants.public.Enums.app_role.filter((role): role is StaffRole => role !== 'student')

export default function TrainingModule() {
  const { id } = useParams<{ id: string }>()
  const module = useRead(['training-module-administered', id], (client) =>
    done(client.from('training_modules').select().eq('id', id).maybeSingle()),
  )
  return (
    <NamedScreen name={module.data?.title} otherwise="checks.module">
      <Back to="/training-modules" label="checks.modules" />
      <Loaded query={module}>{(found) => (found ? <Administered module={found} /> : <Missing />)}</Loaded>
    </NamedScreen>
  )
}

function Administered({ module }: { module: Tables<'training_modules'> }) {
  const { t, number } = useTexts()
  const { client } = useService()
  const standing = useTrainingStatistics().data?.find(({ module_id }) => module_id === module.id)
  const changing = useChange((change: { published?: boolean; mandatory?: boolean }) =>
    done(client.from('training_modules').update(change).eq('id', module.id)),
  )
  return (
    <>
      <Facts
        of={[
          ['checks.version', number(module.version)],
          ['checks.category', t(`checks.category.${module.category}`)],
          ['checks.difficulty', t(`checks.difficulty.${module.difficulty}`)],
          ['checks.duration', t('checks.minutes', { minutes: module.estimated_duration })],
          ['checks.sections', number(module.content.sections.length)],
          ['checks.bank', number(module.assessments.questions)],
          ['checks.per-attempt', number(module.assessments.questions_per_attempt)],
          ['checks.pass-score', number(module.assessments.pass_score / 100, { style: 'percent' })],
          ['checks.changed', <Ago key="changed" at={module.updated_at} />],
        ]}
      />
      <ButtonLink to={`/training-modules/${module.id}/edit`} label="checks.edit" kind="primary" />
      <div className="list">
        <Switch isSelected={module.published} onChange={(published) => changing.mutate({ published })}>
          <T id="checks.is-published" />
        </Switch>
        <Switch isSelected={module.mandatory} onChange={(mandatory) => changing.mutate({ mandatory })}>
          <T id="checks.is-mandatory" />
        </Switch>
        {changing.error && <Problem error={changing.error} />}
      </div>
      {standing && (
        <Section title="checks.figures">
          <Facts
            of={[
              ['checks.assigned', number(standing.assigned)],
              ['checks.learning.completed', number(standing.completed)],
              ['checks.learning.in_progress', number(standing.in_progress)],
              ['checks.learning.overdue', number(standing.overdue)],
              ['checks.attempts-passed', t('checks.of', { some: standing.passed, all: standing.attempts })],
              [
                'checks.average',
                standing.average_score === null
                  ? null
                  : number(standing.average_score / 100, { style: 'percent' }),
              ],
            ]}
          />
        </Section>
      )}
      <Assignments module={module} />
      <Learners module={module} />
    </>
  )
}

function Assignments({ module }: { module: Tables<'training_modules'> }) {
  const { t } = useTexts()
  const tell = useToast()
  const assignments = useRead(['training-assignments', module.id], (client) =>
    done(client.rpc('list_training_assignments', { module_id: module.id })),
  )
  return (
    <Section title="checks.assignments">
      <Dialog button={{ label: 'checks.assign' }} title="checks.assign">
        {(close) => <Assign module={module.id} close={close} />}
      </Dialog>
      <Loaded query={assignments}>
        {(rows) => (
          <DataTable
            label="checks.assignments"
            rows={rows}
            keyOf={({ id }) => id}
            empty="checks.assignments-none"
            columns={[
              {
                label: 'checks.whom',
                cell: (row) => (row.role ? t(`checks.role.${row.role}`) : <Name of={row} />),
              },
              {
                label: 'checks.due-days',
                cell: ({ due_days }) => t('checks.days', { days: due_days }),
                sortBy: ({ due_days }) => due_days,
              },
              {
                label: 'checks.assigned-at',
                cell: ({ created_at }) => <Ago at={created_at} />,
                sortBy: ({ created_at }) => created_at,
              },
              {
                label: 'checks.withdraw',
                cell: (row) => (
                  <Confirm
                    label="checks.withdraw"
                    title="checks.withdraw-assignment"
                    question="checks.withdraw-assignment-question"
                    target={row.role ? t(`checks.role.${row.role}`) : <Name of={row} />}
                    run={async (_, client) => {
                      await done(client.from('training_assignments').delete().eq('id', row.id))
                      tell({
                        message: 'checks.withdrawn',
                        undo: (caller) =>
                          done(
                            caller.rpc('assign_training', {
                              module_id: module.id,
                              person: row.user_id,
                              role: row.role,
                              due_days: row.due_days,
                            }),
                          ),
                      })
                    }}
                  />
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </Section>
  )
}

function Assign({ module, close }: { module: string; close: () => void }) {
  const { t } = useTexts()
  const [whom, setWhom] = useState<StaffRole | 'person'>('counselor')
  return (
    <Form
      submit="checks.assign"
      cancel={close}
      onSubmit={async (typed, client) => {
        await done(
          client.rpc('assign_training', {
            module_id: module,
            ...(whom === 'person' ? { person: typed('email') } : { role: whom }),
            due_days: Number(typed('days')),
          }),
        )
        close()
      }}
    >
      <Select label="checks.whom" options={[...ROLES, 'person']} value={whom} onChange={setWhom}>
        {(one) => (one === 'person' ? t('checks.one-person') : t(`checks.role.${one}`))}
      </Select>
      {whom === 'person' && <Field label="field.email" name="email" type="email" isRequired />}
      <Amount label="checks.due-days" name="days" defaultValue={30} max={365} />
      <P className="muted" id="checks.assign-about" />
    </Form>
  )
}

function Learners({ module }: { module: Tables<'training_modules'> }) {
  const { t, number } = useTexts()
  const [standing, setStanding] = useState<(typeof STANDINGS)[number] | ''>('')
  const [page, setPage] = useState(0)
  const learners = useRead(['training-learners', module.id, standing, page], (client) =>
    done(
      client.rpc('list_training_learners', {
        module_id: module.id,
        ...(standing !== '' && { standing }),
        page_limit: PAGE,
        page_offset: page * PAGE,
      }),
    ),
  )
  return (
    <Section title="checks.progress">
      <Filters>
        <Select
          label="checks.standing"
          options={['', ...STANDINGS]}
          value={standing}
          onChange={(one) => {
            setStanding(one)
            setPage(0)
          }}
        >
          {(one) => (one === '' ? t('checks.all') : t(`checks.learning.${one}`))}
        </Select>
      </Filters>
      <Loaded query={learners}>
        {({ learners: rows, total }) => (
          <>
            <DataTable
              label="checks.progress"
              rows={rows}
              keyOf={({ user_id }) => user_id}
              empty="checks.learners-none"
              columns={[
                { label: 'checks.person', cell: (row) => <Name of={row} /> },
                {
                  label: 'checks.universities',
                  cell: ({ universities }) => <bdi>{universities.join(', ')}</bdi>,
                },
                { label: 'checks.standing', cell: ({ status }) => <Standing of={`learning.${status}`} /> },
                { label: 'checks.due', cell: ({ due_at }) => <When at={due_at} /> },
                {
                  label: 'checks.sections-read',
                  cell: ({ sections_read }) =>
                    t('checks.of', { some: sections_read, all: module.content.sections.length }),
                },
                { label: 'checks.attempts', cell: ({ attempts }) => number(attempts), isFigure: true },
              ]}
            />
            <Pager page={page} total={total} hasNext={(page + 1) * PAGE < total} onChange={setPage} />
          </>
        )}
      </Loaded>
    </Section>
  )
}
