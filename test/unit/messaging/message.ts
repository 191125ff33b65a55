import type { Message } from '../../../functions/_shared/messaging/delivery.ts'

export function email(changes: Partial<Message> = {}): Message {
  return {
    id: '6f1f2a54-6a0e-4a07-9d39-6a4f6a1d2c11',
    channel: 'email',
    purpose: 'clinical_review',
    recipient: 'crisis-desk@northfield.example.edu',
    subject: 'A review waits',
    body: 'Sign in to claim it.\n\nGrüße – 1 & 2',
    attempts: 1,
    ...changes,
  }
}

export function sms(changes: Partial<Message> = {}): Message {
  return email({
    channel: 'sms',
    purpose: 'buddy_check_in',
    recipient: '+15005550006',
    subject: '',
    ...changes,
  })
}
