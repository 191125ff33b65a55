import { type ReactNode, useState } from 'react'
import * as Aria from 'react-aria-components'
import { type Id, useTexts } from './language.tsx'

type Tab = { label: Id; content: () => ReactNode }

/** Parts of a screen of which one is in sight. Only that one is drawn. */
export function Tabs({ label, tabs }: { label: Id; tabs: readonly Tab[] }) {
  const { t } = useTexts()
  const [selected, select] = useState<Aria.Key>(tabs[0]?.label ?? '')
  return (
    <Aria.Tabs className="tabs" selectedKey={selected} onSelectionChange={select}>
      <Aria.TabList aria-label={t(label)} className="tab-list">
        {tabs.map((tab) => (
          <Aria.Tab key={tab.label} id={tab.label} className="tab">
            {t(tab.label)}
          </Aria.Tab>
        ))}
      </Aria.TabList>
      {tabs.map((tab) => (
        <Aria.TabPanel key={tab.label} id={tab.label} className="list">
          {selected === tab.label && tab.content()}
        </Aria.TabPanel>
      ))}
    </Aria.Tabs>
  )
}
