import type { ComponentProps } from 'react'
import { FormattedMessage } from 'react-intl'

type Props = ComponentProps<typeof FormattedMessage>

/** A message of the catalogs. */
export function text(id: Props['id'], values?: Props['values']) {
  return <FormattedMessage id={id} values={values} />
}
