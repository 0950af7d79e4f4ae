import { EllipsisVertical } from 'lucide-react';
import { useEffect, useRef, useState, type FocusEvent, type KeyboardEvent } from 'react';
import { IconButton } from './button.tsx';
import styles from './menu.module.css';

export interface MenuItem {
  readonly label: string;
  readonly run: () => void;
}

interface MenuProps {
  /** Whose it is: `Actions of db`. */
  readonly label: string;
  readonly items: readonly MenuItem[];
}

/** A button that opens what can be done with one thing: arrow keys choose, Escape closes. */
export function Menu({ label, items }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isOpen) list.current?.querySelector('button')?.focus();
  }, [isOpen]);
  const close = () => {
    setOpen(false);
    box.current?.querySelector('button')?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // What stands round it moves by the same keys.
    event.stopPropagation();
    if (event.key === 'Escape') return close();
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const all = [...(list.current?.querySelectorAll('button') ?? [])];
    const next = all.indexOf(document.activeElement as HTMLButtonElement) + step;
    all[(next + all.length) % all.length]?.focus();
  };
  const onBlur = (event: FocusEvent) => {
    if (!box.current?.contains(event.relatedTarget)) setOpen(false);
  };
  if (items.length === 0) return null;
  return (
    <div ref={box} className={styles['menu']} onBlur={onBlur}>
      <IconButton label={label} aria-haspopup="menu" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <EllipsisVertical size={14} />
      </IconButton>
      {isOpen && (
        <div ref={list} role="menu" aria-label={label} className={styles['items']} onKeyDown={onKeyDown}>
          {items.map(({ label: name, run }) => (
            <button
              key={name}
              type="button"
              role="menuitem"
              tabIndex={-1}
              onClick={() => {
                close();
                run();
              }}
            >
              {name}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
