import { useId, useState } from 'react';
import styles from './choose.module.css';
import { inputClass } from './field.tsx';
import { texts } from './texts.ts';
import { words } from './words.texts.ts';

export interface Option {
  readonly id: string;
  readonly label: string;
  readonly detail?: string | undefined;
}

interface ChooseProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly options: readonly Option[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
  /** What stands there without options. */
  readonly empty: string;
}

/** From so many options on they can be searched. */
const MANY = 8;
const MOST = 200;

/** Some of many, by check boxes. */
export function Choose({ label, hint, error, options, chosen, onChange, empty }: ChooseProps) {
  const [text, setText] = useState('');
  const id = useId();
  const wanted = text.trim().toLowerCase();
  const found = options.filter(({ label: name, detail = '' }) => `${name} ${detail}`.toLowerCase().includes(wanted));
  const toggle = (one: string) =>
    onChange(chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one]);
  return (
    <fieldset className={styles['group']}>
      <legend>
        {label}
        {chosen.length > 0 && ` (${chosen.length})`}
      </legend>
      {hint && <p className={styles['hint']}>{hint}</p>}
      {error && (
        <p className={styles['error']} role="alert">
          {error}
        </p>
      )}
      {options.length > MANY && (
        <input
          className={inputClass()}
          aria-label={texts.searchLabel(label)}
          placeholder={words.search}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      <div className={styles['list']}>
        {options.length === 0 && <span>{empty}</span>}
        {options.length > 0 && found.length === 0 && <span>{texts.nothingHasThisName}</span>}
        {found.slice(0, MOST).map((option) => (
          <label key={option.id} htmlFor={`${id}-${option.id}`}>
            <input
              id={`${id}-${option.id}`}
              type="checkbox"
              checked={chosen.includes(option.id)}
              onChange={() => toggle(option.id)}
            />
            <span>
              {option.label} {option.detail && <small>{option.detail}</small>}
            </span>
          </label>
        ))}
        {found.length > MOST && <span>{texts.moreToSearchFor(found.length - MOST)}</span>}
      </div>
    </fieldset>
  );
}
