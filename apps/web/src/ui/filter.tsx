import { useEffect, useState, type ReactNode } from 'react';
import { useAddress } from '../app/address.ts';
import { SelectField, TextField } from './field.tsx';
import styles from './filter.module.css';
import { texts } from './texts.ts';

/** Milliseconds without another letter, before it is searched. */
const PAUSE = 250;

interface FiltersProps {
  /** Where a screen has several of them. */
  readonly label?: string;
  readonly children: ReactNode;
}

/** Fields beside each other that narrow a list. They stand in the address. */
export const Filters = ({ label = texts.filters, children }: FiltersProps) => (
  <div className={styles['filters']} role="search" aria-label={label}>
    {children}
  </div>
);

interface FilterProps {
  /** Its name in the address. */
  readonly name: string;
  readonly label: string;
}

/** A text to search for. */
export function SearchFilter({ name, label }: FilterProps) {
  const [{ [name]: given = '' }, go] = useAddress();
  const [text, setText] = useState(given);
  useEffect(() => setText(given), [given]);
  useEffect(() => {
    if (text === given) return undefined;
    const timer = setTimeout(() => go({ [name]: text, page: undefined }, { replace: true }), PAUSE);
    return () => clearTimeout(timer);
    // Only what is entered starts a search.
  }, [text]);
  return <TextField type="search" label={label} value={text} onChange={(event) => setText(event.target.value)} />;
}

interface ChoiceFilterProps extends FilterProps {
  /** By value; the first one is there without a choice. */
  readonly options: readonly (readonly [value: string, label: string])[];
}

/** One of some. */
export function ChoiceFilter({ name, label, options }: ChoiceFilterProps) {
  const [{ [name]: given = '' }, go] = useAddress();
  return (
    <SelectField
      label={label}
      value={given || options[0]?.[0]}
      onChange={({ target }) =>
        go({ [name]: target.value === options[0]?.[0] ? undefined : target.value, page: undefined })
      }
    >
      {options.map(([value, title]) => (
        <option key={value} value={value}>
          {title}
        </option>
      ))}
    </SelectField>
  );
}
