import { useState, type ReactNode } from 'react';
import styles from './disclosure.module.css';

interface DisclosureProps {
  readonly title: ReactNode;
  readonly isOpenAtFirst?: boolean;
  readonly children: () => ReactNode;
}

/** Something that is shown on request, and made then: it may be long, or contain itself. */
export function Disclosure({ title, isOpenAtFirst = false, children }: DisclosureProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  return (
    <details className={styles['details']} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && children()}
    </details>
  );
}
