import { useQuery } from '@tanstack/react-query';
import { useId, useState, type ComponentProps } from 'react';
import { useSettled } from '../../app/settled.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { inputClass, TextField } from '../../ui/field.tsx';
import { stage } from './drafts.ts';
import { Environments } from './environments.tsx';
import { keysNamed, type Overview } from './pages.ts';
import type { Place } from './place.ts';
import { ReferenceField } from './reference-field.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

interface NewSecretProps {
  readonly place: Place;
  readonly overview: Overview;
  readonly onClose: () => void;
}

const isOdd = (name: string): boolean => /[:/]/.test(name);

/** A new key, with one value for the environments that are chosen. It becomes drafts, saved with the others. */
export function NewSecret({ place, overview, onClose }: NewSecretProps) {
  const environments = overview.environments.filter(({ may }) => may.createSecrets);
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const [comment, setComment] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(environments.slice(0, 1).map(({ slug }) => slug)));
  const secretKey = name.trim();
  const asked = useSettled(secretKey);
  const there = useQuery({ ...keysNamed(place, [asked]), enabled: asked !== '' && !isOdd(asked) });
  const isTaken = asked === secretKey && there.data?.secrets.some((one) => one.secretKey === secretKey);
  const error = isOdd(secretKey) ? texts.nameCannotContain : isTaken ? texts.thisKeyExists : undefined;
  const submit = () => {
    stage(
      place.projectId,
      [...chosen].map((environment) => ({
        environment,
        secretPath: place.path,
        secretKey,
        kind: 'create',
        value,
        ...(comment && { details: { secretComment: comment } }),
      })),
    );
    onClose();
  };
  return (
    <Dialog title={texts.newSecret} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <TextField
          label={words.key}
          isMono
          required
          autoFocus
          maxLength={255}
          hint={texts.forExampleDatabaseUrl}
          error={secretKey ? error : undefined}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <ValueField
          projectId={place.projectId}
          origin={{ environment: [...chosen][0] ?? '', secretPath: place.path }}
          value={value}
          onValue={setValue}
        />
        <TextField label={words.comment} value={comment} onChange={(event) => setComment(event.target.value)} />
        <Environments environments={environments} chosen={chosen} onChange={setChosen} />
        <Actions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button kind="primary" type="submit" disabled={!secretKey || error !== undefined || chosen.size === 0}>
            {words.add}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}

function ValueField(props: ComponentProps<typeof ReferenceField>) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id}>{words.value}</label>
      <ReferenceField {...props} id={id} rows={4} className={inputClass(true)} />
    </div>
  );
}
