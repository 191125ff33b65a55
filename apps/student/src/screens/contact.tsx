import type { Contact, WellbeingClient } from '@student-wellbeing/client'
import { Redirect, useLocation, useParams } from 'wouter'
import { ButtonLink, Loaded, Screen } from '../../../ui/elements.tsx'
import { Action, Field, Form, type Typed } from '../../../ui/form.tsx'
import { P } from '../../../ui/language.tsx'
import { useCircle } from '../service.tsx'

const FIELDS = [
  { name: 'name', isRequired: true },
  { name: 'phone', type: 'tel', isRequired: true },
  { name: 'email', type: 'email' },
  { name: 'relationship' },
] as const

/** Somebody new (`/circle/new`), or somebody of the circle. */
export default function ContactScreen() {
  const { id } = useParams<{ id: string }>()
  return (
    <Loaded query={useCircle()}>
      {({ contacts }) => {
        const contact = contacts.find((one) => one.id === id)
        return contact || id === 'new' ? <Details contact={contact} /> : <Redirect to="/circle" />
      }}
    </Loaded>
  )
}

/** What the student says of somebody, and taking them out of the circle. */
function Details({ contact }: { contact: Contact | undefined }) {
  const [, go] = useLocation()
  const back = () => go('/circle')
  const id = contact?.id ?? ''
  const takeOut = ({ buddies }: WellbeingClient) => buddies.update(id, { isActive: false }).then(back)
  const remove = ({ buddies }: WellbeingClient) => buddies.remove(id).then(back)
  async function save(typed: Typed, { buddies }: WellbeingClient) {
    const [email, relationship] = [typed('email'), typed('relationship')]
    const details = { name: typed('name'), phone: typed('phone'), email, relationship }
    await (contact ? buddies.update(id, details) : buddies.add(details))
    back()
  }
  const values = { name: contact?.name }
  return (
    <Screen title={contact ? 'circle.edit-title' : 'circle.add'} values={values}>
      <Form submit="circle.save" onSubmit={save}>
        {FIELDS.map((field) => (
          <Field
            {...field}
            key={field.name}
            label={`circle.${field.name}`}
            hint={`circle.${field.name}-hint`}
            defaultValue={contact?.[field.name] ?? ''}
          />
        ))}
        {contact?.verified && <P className="muted" id="circle.saved-asks-again" />}
      </Form>
      <div className="row">
        <ButtonLink to="/circle" label="circle.cancel" />
        {contact?.is_active && <Action label="circle.take-out" run={takeOut} />}
        {contact && (
          <Action label="circle.remove" question="circle.remove-question" values={values} run={remove} />
        )}
      </div>
    </Screen>
  )
}
