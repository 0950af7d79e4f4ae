import { useQuery } from '@tanstack/react-query';
import { useId, useState, type FormEvent } from 'react';
import { useAddress } from '../../app/address.ts';
import { ask } from '../../app/ask.ts';
import { Button } from '../../ui/button.tsx';
import { Row, SelectField, TextField } from '../../ui/field.tsx';
import styles from './audit.module.css';
import { hasFilters, instantOf, localTime, NO_FILTERS, type Filter } from './filters.ts';

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
    <form onSubmit={apply} className={styles['filters']} role="search" aria-label="Filters">
      <TypeField {...bind('type')} />
      <SelectField label="Who" {...bind('actor')}>
        <option value="">Everybody</option>
        {actor && !actors.some(({ id }) => id === actor) && <option value={actor}>{actor}</option>}
        {actors.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <TextField label="From" {...time('from')} />
      <TextField label="Until" {...time('to')} />
      {hasSecrets && (
        <>
          <TextField label="Environment" placeholder="prod" {...bind('environment')} />
          <TextField label="Folder" placeholder="/" {...bind('path')} />
          <TextField label="Secret" {...bind('key')} />
        </>
      )}
      <TextField
        label="About"
        placeholder="syncId=…"
        title="Names and values of the event: name=value, by commas"
        {...bind('about')}
      />
      <Row>
        <Button kind="primary" type="submit">
          Filter
        </Button>
        {hasFilters(address) && <Button onClick={() => go(NO_FILTERS)}>Reset</Button>}
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
      <TextField label="Event" placeholder="create-secret" list={listId} {...props} />
      <datalist id={listId}>
        {data?.eventTypes.map((type) => (
          <option key={type} value={type} />
        ))}
      </datalist>
    </>
  );
}
