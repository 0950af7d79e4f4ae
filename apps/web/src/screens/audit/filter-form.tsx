import { useQuery } from '@tanstack/react-query';
import { useId, useState, type FormEvent } from 'react';
import { useAddress } from '../../app/address.ts';
import { ask } from '../../app/ask.ts';
import { Button } from '../../ui/button.tsx';
import { Row, SelectField, TextField } from '../../ui/field.tsx';
import styles from './audit.module.css';
import { hasFilters, instantOf, localTime, NO_FILTERS, type Filter } from './filters.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

/** Somebody who acts. */
export interface Actor {
  readonly id: string;
  readonly name: string;
}

export interface FilterFormProps {
  /** Who may be found in it; others are filtered by what they have done. */
  readonly actors: readonly Actor[];
  /** Whether its events are about secrets. */
  readonly hasSecrets?: boolean;
}

/** The filters of a log. They are in the address, and the server applies them. */
export function FilterForm({ actors, hasSecrets = false }: FilterFormProps) {
  const [address, go] = useAddress();
  const [changed, setChanged] = useState<Partial<Record<Filter, string>>>({});
  const valueOf = (name: Filter): string => changed[name] ?? address[name] ?? '';
  const bind = (name: Filter) => ({
    value: valueOf(name),
    onChange: ({ target }: { target: { value: string } }) => setChanged({ ...changed, [name]: target.value }),
  });
  const time = (name: 'from' | 'to') => ({
    type: 'datetime-local',
    step: 1,
    value: localTime(valueOf(name)),
    onChange: ({ target }: { target: { value: string } }) =>
      setChanged({ ...changed, [name]: instantOf(target.value) }),
  });
  const apply = (event: FormEvent) => {
    event.preventDefault();
    go({ ...changed, event: undefined });
  };
  const actor = valueOf('actor');
  return (
    <form onSubmit={apply} className={styles['filters']} role="search" aria-label={texts.filters}>
      <TypeField {...bind('type')} />
      <SelectField label={words.who} {...bind('actor')}>
        <option value="">{texts.everybody}</option>
        {actor && !actors.some(({ id }) => id === actor) && <option value={actor}>{actor}</option>}
        {actors.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <TextField label={words.from} {...time('from')} />
      <TextField label={texts.until} {...time('to')} />
      {hasSecrets && (
        <>
          <TextField label={words.environment} placeholder={texts.exampleEnvironment} {...bind('environment')} />
          <TextField label={words.folder} placeholder="/" {...bind('path')} />
          <TextField label={words.secret} {...bind('key')} />
        </>
      )}
      <TextField
        label={texts.about}
        placeholder={texts.exampleFilter}
        title={texts.namesAndValuesOfEvent}
        {...bind('about')}
      />
      <Row>
        <Button kind="primary" type="submit">
          {texts.filter}
        </Button>
        {hasFilters(address) && <Button onClick={() => go(NO_FILTERS)}>{texts.reset}</Button>}
      </Row>
    </form>
  );
}

function TypeField(props: {
  readonly value: string;
  readonly onChange: (event: { target: { value: string } }) => void;
}) {
  const { data } = useQuery(ask('auditLog', 'eventTypes', {}));
  const listId = useId();
  return (
    <>
      <TextField label={texts.event} placeholder={texts.exampleEvent} list={listId} {...props} />
      <datalist id={listId}>
        {data?.eventTypes.map((type) => (
          <option key={type} value={type} />
        ))}
      </datalist>
    </>
  );
}
