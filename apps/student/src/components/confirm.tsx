import { type ReactNode, useState } from 'react'
import { FormattedMessage } from 'react-intl'
import { Button } from './controls.tsx'

/** A button that asks once more before something is deleted. */
export function Confirm({
  label,
  question,
  onConfirm,
}: {
  label: ReactNode
  question: ReactNode
  onConfirm: () => void
}) {
  const [isAsking, setIsAsking] = useState<boolean>()
  // Whoever decides to keep it is where they were.
  if (!isAsking)
    return (
      <Button autoFocus={isAsking === false} onPress={() => setIsAsking(true)}>
        {label}
      </Button>
    )
  return (
    <fieldset className="confirm">
      <legend>{question}</legend>
      <div className="row">
        <Button
          onPress={() => {
            setIsAsking(false)
            onConfirm()
          }}
        >
          {label}
        </Button>
        <Button autoFocus onPress={() => setIsAsking(false)}>
          <FormattedMessage id="check-in.keep" />
        </Button>
      </div>
    </fieldset>
  )
}
