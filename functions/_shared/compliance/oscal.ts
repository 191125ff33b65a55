import { createHash } from 'node:crypto'
import type { Assessment, Check } from './assessments.ts'
import type { Control, Status } from './controls.ts'

/** Version of NIST's Open Security Controls Assessment Language whose schema the documents follow. */
const OSCAL_VERSION = '1.2.1'

/** Name space of our own properties. */
const NAMESPACE = 'https://wellbeing.example.edu/ns/oscal'

const TITLES = { hipaa: 'HIPAA', gdpr: 'GDPR', soc2: 'SOC 2' } as const

/**
 * An assessment as OSCAL assessment results (https://pages.nist.gov/OSCAL, model "assessment-results").
 *
 * Only controls that somebody or something assessed have a finding; the others are left out of what was reviewed, and
 * named with why. The document holds nothing but what is stored, with ids made from it, so that each export of an
 * assessment is the same, byte by byte.
 */
export function oscalOf(assessment: Assessment) {
  const { id, framework, sha256, evidence } = assessment
  const uuid = (what: string) => uuidOf(`${id} ${what}`)
  const assessed = assessment.controls.filter((control) => ASSESSED.has(standingOf(control)))
  const left = assessment.controls.filter((control) => !ASSESSED.has(standingOf(control)))
  const ended = utc(assessment.ended_at)
  return {
    'assessment-results': {
      uuid: uuid('document'),
      metadata: {
        title: `${TITLES[framework]}: assessment of the student wellbeing service`,
        'last-modified': ended,
        version: id,
        'oscal-version': OSCAL_VERSION,
      },
      'import-ap': { href: `#${uuid('plan')}` },
      'local-definitions': {
        'objectives-and-methods': assessment.controls.map(({ id, reference, title, requirement }) => ({
          'control-id': id,
          props: [property('reference', reference)],
          parts: [{ id: objectiveOf(id), name: 'objective', title, prose: requirement }],
        })),
      },
      results: [
        {
          uuid: uuid('result'),
          title: `${TITLES[framework]} on ${ended.slice(0, 10)}`,
          description:
            'Automated checks of the live database, with the decisions of assessors that stood at the time.',
          start: utc(assessment.started_at),
          end: ended,
          props: [property('assessment-id', id), property('assessment-sha256', sha256)],
          'local-definitions': {
            components: [
              {
                uuid: uuid('system'),
                type: 'this-system',
                title: 'Student wellbeing service',
                description: 'Its database, with the settings of authentication, storage and scheduled jobs.',
                status: { state: 'operational' },
              },
            ],
          },
          'reviewed-controls': {
            'control-selections': [
              {
                ...(assessed.length > 0
                  ? { 'include-controls': assessed.map(({ id }) => ({ 'control-id': id })) }
                  : { 'include-all': {} }),
                ...(left.length > 0 && {
                  'exclude-controls': left.map(({ id }) => ({ 'control-id': id })),
                  remarks: left.map((control) => `${control.id}: ${wordsOf(standingOf(control))}`).join('\n'),
                }),
              },
            ],
          },
          observations: [
            ...evidence.map((check) => observationOf(check, uuid)),
            ...assessment.controls.flatMap((control) => decisionOf(control, uuid)),
          ],
          ...(assessed.length > 0 && { findings: assessed.map((control) => findingOf(control, uuid)) }),
        },
      ],
      'back-matter': {
        resources: [
          {
            uuid: uuid('plan'),
            title: 'Assessment plan',
            description:
              'Every check runs its query, which returns what is wrong. A control is as its worst check makes it, and not assessed where a source is missing. An assessor may decide otherwise, with a reason and evidence; both are kept.',
          },
        ],
      },
    },
  }
}

type Uuid = (what: string) => string

/** Statuses that are a finding. */
const ASSESSED: ReadonlySet<Status> = new Set(['compliant', 'partial', 'non_compliant'])

/** What an assessor decided, else what the checks found: OSCAL has one state for a control. */
function standingOf({ decision, automated_status }: Control): Status {
  return decision?.status ?? automated_status
}

function findingOf(control: Control, uuid: Uuid) {
  const standing = standingOf(control)
  const { id, reference, title, requirement, checks, automated_status, decision } = control
  const observations = [...checks.map(checkKey), ...(decision ? [decisionKey(id)] : [])]
  return {
    uuid: uuid(`finding ${id}`),
    title: `${reference} ${title}`,
    description: requirement,
    props: [
      property('automated-status', automated_status),
      ...(decision ? [property('assessor-decision', decision.status)] : []),
    ],
    target: {
      type: 'objective-id',
      'target-id': objectiveOf(id),
      status: {
        state: standing === 'compliant' ? 'satisfied' : 'not-satisfied',
        reason: standing === 'compliant' ? 'pass' : 'fail',
        remarks: `${decision ? 'An assessor decided' : 'The checks found'}: ${wordsOf(standing)}.`,
      },
    },
    ...(observations.length > 0 && {
      'related-observations': observations.map((key) => ({ 'observation-uuid': uuid(key) })),
    }),
  }
}

function observationOf(check: Check, uuid: Uuid) {
  const { check_id, title, expected, query, result, found, more, problem, checked_at, hash } = check
  return {
    uuid: uuid(checkKey(check_id)),
    title,
    description: `Expected: ${expected}`,
    props: [property('check-id', check_id), property('result', result)],
    methods: ['TEST'],
    types: ['control-objective'],
    subjects: [{ 'subject-uuid': uuid('system'), type: 'component' }],
    'relevant-evidence': [
      {
        description: foundText(found, more, problem),
        props: [property('evidence-sha256', hash)],
        remarks: `The query that looked for what is wrong:\n\n\`\`\`sql\n${query.trim()}\n\`\`\``,
      },
    ],
    collected: utc(checked_at),
  }
}

function decisionOf({ id, reference, decision }: Control, uuid: Uuid) {
  if (decision === null) return []
  return [
    {
      uuid: uuid(decisionKey(id)),
      title: `Decision of an assessor: ${reference}`,
      description: decision.reason,
      props: [property('assessor-decision', decision.status)],
      methods: ['EXAMINE'],
      types: ['control-objective'],
      subjects: [{ 'subject-uuid': uuid('system'), type: 'component' }],
      'relevant-evidence': decision.evidence.map(({ description, link }) => ({
        description,
        ...(link !== undefined && { href: link }),
      })),
      collected: utc(decision.decided_at),
    },
  ]
}

function foundText(found: readonly string[], more: boolean, problem: string | null): string {
  if (problem !== null) return `Not assessed: ${problem}.`
  if (found.length === 0) return 'Found nothing wrong.'
  return `Found${more ? ', among more' : ''}:\n\n${found.map((item) => `- ${item}`).join('\n')}`
}

const checkKey = (check: string) => `check ${check}`
const decisionKey = (control: string) => `decision ${control}`
const objectiveOf = (control: string) => `${control}.objective`
const property = (name: string, value: string) => ({ name, ns: NAMESPACE, value })
const wordsOf = (status: Status) => status.replaceAll('_', ' ')
const utc = (time: string) => new Date(time).toISOString()

/** A UUID of version 5's form, made from a text. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(`${NAMESPACE} ${text}`).digest('hex')
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `5${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join('-')
}
