import type { Contact } from '@student-wellbeing/client'
import { useIntl } from 'react-intl'
import { Redirect, useLocation, useParams } from 'wouter'
import { useChange } from '../change.ts'
import { useCircle } from '../circle.ts'
import { Confirm } from '../components/confirm.tsx'
import { Button, ButtonLink, Field } from '../components/controls.tsx'
import { Form } from '../components/form.tsx'
import { Screen } from '../components/screen.tsx'
import { Loaded, Problem } from '../components/states.tsx'
import { useService } from '../service.tsx'

const FIELDS = [
  ['name', 'text', true],
  ['phone', 'tel', true],
  ['email', 'email', false],
  ['relationship', 'text', false],
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
  const { buddies } = useService().client
  const { $t } = useIntl()
  const [, go] = useLocation()
  const back = () => go('/circle')
  const save = useChange((save: () => Promise<unknown>) => save().then(back), 'circle')
  const change = useChange((change: () => Promise<unknown>) => change().then(back), 'circle')
  const name = contact?.name
  return (
    <Screen title={contact ? $t({ id: 'circle.edit-title' }, { name }) : $t({ id: 'circle.add' })}>
      <Form
        submit={$t({ id: 'circle.save' })}
        onSubmit={(typed) => {
          const [email, relationship] = [typed('email'), typed('relationship')]
          const details = { name: typed('name'), phone: typed('phone'), email, relationship }
          return save.mutateAsync(() =>
            contact ? buddies.update(contact.id, details) : buddies.add(details),
          )
        }}
      >
        {FIELDS.map(([field, type, isRequired]) => (
          <Field
            key={field}
            name={field}
            type={type}
            label={$t({ id: `circle.${field}` })}
            hint={$t({ id: `circle.${field}-hint` })}
            defaultValue={contact?.[field] ?? ''}
            isRequired={isRequired}
          />
        ))}
        {contact?.verified && <p className="muted small">{$t({ id: 'circle.saved-asks-again' })}</p>}
      </Form>
      {change.error && <Problem error={change.error} />}
      <div className="row">
        <ButtonLink to="/circle">{$t({ id: 'circle.cancel' })}</ButtonLink>
        {contact?.is_active && (
          <Button onPress={() => change.mutate(() => buddies.update(contact.id, { isActive: false }))}>
            {$t({ id: 'circle.take-out' })}
          </Button>
        )}
        {contact && (
          <Confirm
            label={$t({ id: 'circle.remove' })}
            question={$t({ id: 'circle.remove-question' }, { name })}
            onConfirm={() => change.mutate(() => buddies.remove(contact.id))}
          />
        )}
      </div>
    </Screen>
  )
}
