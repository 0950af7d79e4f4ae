import { useQuery } from '@tanstack/react-query';
import { useId, useState, type ComponentProps, type KeyboardEvent, type RefObject } from 'react';
import { ask } from '../../app/ask.ts';
import { useSettled } from '../../app/settled.ts';
import { classes } from '../../ui/classes.ts';
import styles from './reference-field.module.css';
import { openReference, writtenReference, type Origin } from './reference-text.ts';
import { texts } from './texts.ts';

interface ReferenceFieldProps extends Omit<ComponentProps<'textarea'>, 'onChange' | 'value' | 'ref'> {
  readonly ref?: RefObject<HTMLTextAreaElement | null>;
  readonly projectId: string;
  /** Where the value is: names of its own folder are written without a place. */
  readonly origin: Origin;
  readonly value: string;
  readonly onValue: (text: string) => void;
}

/** Offers that are shown. */
const SHOWN = 8;

/** A text in which `${` offers the secrets to which a reference can lead. Only names are asked for. */
export function ReferenceField({ projectId, origin, value, onValue, onKeyDown, ...rest }: ReferenceFieldProps) {
  const listId = useId();
  const [caret, setCaret] = useState(0);
  const [at, setAt] = useState(0);
  const [closed, setClosed] = useState<number>();
  const open = openReference(value, caret);
  const search = useSettled(open?.search ?? '');
  const found = useQuery({
    ...ask('secrets', 'search', { projectId, search, limit: 50 }),
    enabled: search !== '',
  });
  const offers =
    open && open.start !== closed
      ? [...new Set(found.data?.secrets.flatMap((one) => writtenReference(one, origin) ?? []))]
          .filter((text) => text.toLowerCase().includes(open.typed.toLowerCase()) && text !== open.typed)
          .slice(0, SHOWN)
      : [];
  const chosen = Math.min(at, offers.length - 1);
  const take = (text: string, box: HTMLTextAreaElement) => {
    const before = `${value.slice(0, open!.start)}\${${text}}`;
    const after = value.slice(caret);
    onValue(before + after.replace(/^\}/, ''));
    setCaret(before.length);
    requestAnimationFrame(() => box.setSelectionRange(before.length, before.length));
  };
  const keys = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const isPlain = !event.ctrlKey && !event.metaKey;
    if (offers.length > 0 && isPlain && event.key in ACTIONS) {
      event.preventDefault();
      event.stopPropagation();
      const action = ACTIONS[event.key]!;
      if (action === 'take') take(offers[chosen]!, event.currentTarget);
      else if (action === 'close') setClosed(open!.start);
      else setAt((chosen + action + offers.length) % offers.length);
      return;
    }
    onKeyDown?.(event);
  };
  return (
    <span className={styles['field']}>
      <textarea
        spellCheck={false}
        autoComplete="off"
        {...rest}
        aria-autocomplete="list"
        aria-controls={offers.length > 0 ? listId : undefined}
        aria-activedescendant={offers.length > 0 ? `${listId}-${chosen}` : undefined}
        value={value}
        onChange={({ target }) => {
          onValue(target.value);
          setCaret(target.selectionStart);
          setAt(0);
        }}
        onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart)}
        onKeyDown={keys}
      />
      {offers.length > 0 && (
        <ul id={listId} role="listbox" aria-label={texts.references} className={styles['offers']}>
          {offers.map((text, index) => (
            <li
              key={text}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === chosen}
              className={classes(styles['offer'], index === chosen && styles['chosen'])}
              onMouseDown={(event) => {
                event.preventDefault();
                const box = event.currentTarget.closest('span')?.querySelector('textarea');
                if (box) take(text, box);
              }}
            >
              {text}
            </li>
          ))}
        </ul>
      )}
    </span>
  );
}

const ACTIONS: Readonly<Record<string, 1 | -1 | 'take' | 'close'>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  Enter: 'take',
  Tab: 'take',
  Escape: 'close',
};
