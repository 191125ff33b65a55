import { useLocation, useParams } from 'wouter'
import { ButtonLink, Loaded } from '../../../ui/elements.tsx'
import { Action } from '../../../ui/form.tsx'
import { P } from '../../../ui/language.tsx'
import { done } from '../../../ui/service.tsx'
import { Markdown } from './markdown.tsx'
import { useModule } from './my-training-module.tsx'
import { Missing, NamedScreen } from './shown.tsx'
import './checks.css'

export default function MyTrainingSection() {
  const { id, section } = useParams<{ id: string; section: string }>()
  // Each section is a screen of its own, which begins at its title.
  return <SectionOf key={section} module={id} section={section} />
}

function SectionOf({ module: id, section: wanted }: { module: string; section: string }) {
  const module = useModule(id)
  const [, go] = useLocation()
  const sections = module.data?.content.sections ?? []
  const place = sections.findIndex((section) => section.id === wanted)
  const section = sections[place]
  const next = sections[place + 1]
  return (
    <NamedScreen name={section?.title} otherwise="checks.module">
      <ButtonLink to={`/training/${id}`} label="checks.to-module" />
      <Loaded query={module}>
        {() =>
          section ? (
            <>
              <P className="muted" id="checks.section-of" place={place + 1} all={sections.length} />
              <article className="card">
                <Markdown text={section.text} />
              </article>
              <Action
                kind="primary"
                label={next ? 'checks.read-next' : 'checks.read-last'}
                run={async (client) => {
                  await done(client.rpc('read_training_sections', { module_id: id, sections: [wanted] }))
                  go(next ? `/training/${id}/sections/${next.id}` : `/training/${id}`)
                }}
              />
            </>
          ) : (
            <Missing />
          )
        }
      </Loaded>
    </NamedScreen>
  )
}
