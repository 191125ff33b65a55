import type { Contact } from '@student-wellbeing/client'
import * as Aria from 'react-aria-components'
import { useChange } from '../change.ts'
import { useService } from '../service.tsx'
import { Confirm } from './confirm.tsx'
import { Button, Field } from './controls.tsx'
import { Form } from './form.tsx'
import { Problem } from './states.tsx'
import { text } from './text.tsx'

/** Somebody new, or somebody of the circle: their details, and taking them out of it. */
export function ContactDialog({ contact, onClose }: { contact: Contact | null; onClose: () => void }) {
  const { buddies } = useService().client
  const save = useChange((save: () => Promise<unknown>) => save().then(onClose), 'circle')
  const change = useChange((change: () => Promise<unknown>) => change().then(onClose), 'circle')
  const name = contact?.name ?? ''
  return (
    <Aria.ModalOverlay className="overlay" isOpen isDismissable onOpenChange={onClose}>
      <Aria.Modal>
        <Aria.Dialog className="dialog">
          <Aria.Heading slot="title" level={2}>
            {contact ? text('circle.edit-title', { name }) : text('circle.add')}
          </Aria.Heading>
          <Form
            submit={text('circle.save')}
            onSubmit={(typed) => {
              const details = { name: typed('name'), phone: typed('phone'), email: typed('email') }
              const all = { ...details, relationship: typed('relationship') }
              return save.mutateAsync(() => (contact ? buddies.update(contact.id, all) : buddies.add(all)))
            }}
          >
            <Field name="name" label={text('circle.name')} defaultValue={name} isRequired autoFocus />
            <Field
              name="phone"
              type="tel"
              label={text('circle.phone')}
              hint={text('circle.phone-hint')}
              defaultValue={contact?.phone ?? ''}
              isRequired
            />
            <Field
              name="email"
              type="email"
              label={text('circle.email')}
              hint={text('circle.email-hint')}
              defaultValue={contact?.email ?? ''}
            />
            <Field
              name="relationship"
              label={text('circle.relationship')}
              hint={text('circle.relationship-hint')}
              defaultValue={contact?.relationship ?? ''}
            />
            {contact?.verified && <p className="muted small">{text('circle.saved-asks-again')}</p>}
          </Form>
          {change.error && <Problem error={change.error} />}
          <div className="row">
            {contact?.is_active && (
              <Button onPress={() => change.mutate(() => buddies.update(contact.id, { isActive: false }))}>
                {text('circle.take-out')}
              </Button>
            )}
            {contact && (
              <Confirm
                label={text('circle.remove')}
                question={text('circle.remove-question', { name })}
                onConfirm={() => change.mutate(() => buddies.remove(contact.id))}
              />
            )}
            <Button slot="close">{text('circle.cancel')}</Button>
          </div>
        </Aria.Dialog>
      </Aria.Modal>
    </Aria.ModalOverlay>
  )
}
