import { Link } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import { Disclosure } from '../../ui/disclosure.tsx';
import { inputClass } from '../../ui/field.tsx';
import styles from './api-reference.module.css';
import { search, type Operation, type Reference } from './document.ts';
import { texts } from './texts.ts';

const MOST = 60;

/** All operations, by what they are used for; those with some words, once there are any. */
export function Contents({ of: api, chosen }: { readonly of: Reference; readonly chosen: Operation | undefined }) {
  const [text, setText] = useState('');
  const words = useDeferredValue(text.trim());
  return (
    <nav className={styles['contents']} aria-label={texts.operations} data-is-chosen={chosen !== undefined}>
      <input
        type="search"
        className={inputClass()}
        aria-label={texts.searchOperations}
        placeholder={texts.searchAmong(api.operations.size)}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {words ? <Found of={search(api, words)} /> : <All of={api} chosen={chosen} />}
    </nav>
  );
}

const Found = ({ of: found }: { readonly of: readonly Operation[] }) => (
  <>
    <p role="status">
      {texts.numberOperations(found.length)}
      {found.length > MOST && texts.firstAreShown(MOST)}
    </p>
    <Operations of={found.slice(0, MOST)} />
  </>
);

const All = ({ of: { groups }, chosen }: { readonly of: Reference; readonly chosen: Operation | undefined }) =>
  groups.map(({ name, areas }, index) => (
    <section key={name} aria-label={name}>
      <h2>{name}</h2>
      {areas.map((area) => (
        <Disclosure
          // Opens where the chosen operation is, also when it is chosen by a search.
          key={`${area.name} ${chosen?.area === area.name}`}
          title={area.name}
          isOpenAtFirst={chosen ? chosen.area === area.name : index === 0 && area.name === 'Secrets'}
        >
          {() => <Operations of={area.operations} />}
        </Disclosure>
      ))}
    </section>
  ));

const Operations = ({ of: operations }: { readonly of: readonly Operation[] }) => (
  <ul>
    {operations.map(({ operationId, method, path, summary, deprecated }) => (
      <li key={operationId}>
        <Link to="/api/docs/$operationId" params={{ operationId }} preload={false}>
          {summary ?? path} {deprecated && <em>{texts.deprecatedInBrackets}</em>}
          <small>
            <Method of={method} /> {path}
          </small>
        </Link>
      </li>
    ))}
  </ul>
);

export const Method = ({ of: method }: { readonly of: string }) => (
  <b className={styles['method']} data-method={method}>
    {method}
  </b>
);
