import type { Contact } from '@student-wellbeing/client'
import * as Aria from 'react-aria-components'
import { useIntl } from 'react-intl'
import { useChange } from '../change.ts'
import { useService } from '../service.tsx'
import { Confirm } from './confirm.tsx'
import { Button, Field } from './controls.tsx'
import { Form } from './form.tsx'
import { Problem } from './states.tsx'

const FIELDS = [
  ['name', 'text', true],
  ['phone', 'tel', true],
  ['email', 'email', false],
  ['relationship', 'text', false],
] as const

/** Somebody new, or somebody of the circle: their details, and taking them out of it. */
export function ContactDialog({ contact, onClose }: { contact: Contact | null; onClose: () => void }) {
  const { buddies } = useService().client
  const { $t } = useIntl()
  const save = useChange((save: () => Promise<unknown>) => save().then(onClose), 'circle')
  const change = useChange((change: () => Promise<unknown>) => change().then(onClose), 'circle')
  const name = contact?.name ?? ''
  return (
    <Aria.ModalOverlay className="overlay" isOpen isDismissable onOpenChange={onClose}>
      <Aria.Modal>
        <Aria.Dialog className="dialog">
          <Aria.Heading slot="title" level={2}>
            {contact ? $t({ id: 'circle.edit-title' }, { name }) : $t({ id: 'circle.add' })}
          </Aria.Heading>
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
            <Button slot="close">{$t({ id: 'circle.cancel' })}</Button>
          </div>
        </Aria.Dialog>
      </Aria.Modal>
    </Aria.ModalOverlay>
  )
}
