import { useParams } from 'wouter'
import { ButtonLink, Loaded, Screen, Section } from '../../../ui/elements.tsx'
import { P, T } from '../../../ui/language.tsx'
import { Facts } from '../../../ui/shown.tsx'
import { nameOf, useUniversityNames } from '../people.ts'
import { Nudges } from './nudges.tsx'
import { About, ConsentedHistory, Risk, SignsOfLifeFacts } from './person-shown.tsx'
import { type StudentRecord, useStudent } from './reads.ts'

/** One student who agreed that counselors see them, or who is in review. */
export default function Student() {
  const { id = '' } = useParams()
  const student = useStudent(id)
  return (
    // Its title names nobody: browsers remember titles.
    <Screen title="reviews.student">
      <Loaded query={student}>
        {(student) =>
          student ? <Known student={student} /> : <P className="notice" id="reviews.unknown-student" />
        }
      </Loaded>
      <ButtonLink to="/students" label="reviews.back-to-students" />
    </Screen>
  )
}

function Known({ student }: { student: StudentRecord }) {
  const nameOfUniversity = useUniversityNames()
  const { university_id, latest_risk_level, latest_risk_source } = student
  const name = nameOf(student)
  return (
    <>
      <About name={name}>
        {latest_risk_level && (
          <div className="row">
            <Risk level={latest_risk_level} />
            {latest_risk_source && (
              <span className="muted">
                <T id="history.source" source={latest_risk_source} />
              </span>
            )}
          </div>
        )}
        <Facts
          of={[
            ['reviews.university', university_id && nameOfUniversity(university_id)],
            ['reviews.faculty', student.faculty],
            ['reviews.year', student.year_of_study],
          ]}
        />
      </About>
      {student.signs_of_life && <SignsOfLifeFacts of={student.signs_of_life} />}
      <Nudges student={student.user_id} name={name} />
      <Section title="reviews.history">
        <ConsentedHistory rows={student.history ?? null} />
      </Section>
    </>
  )
}
