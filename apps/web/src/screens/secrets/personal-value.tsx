import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient } from '../../app/ask.ts';
import { hide, reveal, useRevealed } from '../../app/reveal.ts';
import { coffer } from '../../app/session.ts';
import { Act } from '../../ui/act.tsx';
import { Button } from '../../ui/button.tsx';
import { explain } from '../../ui/error.tsx';
import { Row, SecretField } from '../../ui/field.tsx';
import { useForm } from '../../ui/form.ts';
import { toast, toastError } from '../../ui/toast.tsx';
import type { Draft } from './drafts.ts';
import { keysNamed } from './pages.ts';
import type { Place } from './place.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

type At = Pick<Draft, 'environment' | 'secretPath' | 'secretKey'>;

/** The value by which the user overrides the shared one for themselves. */
export function PersonalValue({ place, at }: { readonly place: Place; readonly at: At }) {
  const { projectId } = place;
  const { environment, secretPath, secretKey: secretName } = at;
  const personal = { projectId, environment, secretPath, secretName, type: 'personal' } as const;
  const { data } = useQuery(keysNamed(place, [secretName]));
  const isThere = data?.secrets[0]?.environments.find((one) => one.environment === environment)?.hasPersonalValue;
  const [value, setValue] = useState('');
  const [saved, setSaved] = useState(0);
  const name = ['personal', projectId, environment, secretPath, secretName].join('\n');
  const shown = useRevealed(name);
  const changed = async () => {
    hide(name);
    await queryClient.invalidateQueries({ queryKey: ['secrets'] });
  };
  const form = useForm(async () => {
    await (isThere
      ? coffer.secrets.update.mutate({ ...personal, secretValue: value })
      : coffer.secrets.create.mutate({ ...personal, secretValue: value }));
    setSaved(saved + 1);
    await changed();
    toast(texts.savedYourOwnValue);
  });
  const show = () => {
    coffer.secrets.get
      .query(personal)
      .then(({ secret }) => reveal(name, secret.secretValue))
      .catch(toastError);
  };
  const remove = async () => {
    await coffer.secrets.delete.mutate(personal);
    await changed();
  };
  return (
    <section aria-label={texts.yourOwnValue}>
      <h3>{texts.yourOwnValue}</h3>
      <p>{texts.onlyYouSeeAndUse}</p>
      {isThere && (
        <Row>
          {shown === undefined ? (
            <Button onClick={show}>{texts.revealYourOwnValue}</Button>
          ) : (
            <button type="button" onClick={() => hide(name)} title={words.hide}>
              <code>{shown}</code>
            </button>
          )}
          <Act label={texts.removeYourOwnValue} kind="danger" run={remove} done={texts.sharedValueIsYours} />
        </Row>
      )}
      <form onSubmit={form.submit}>
        <SecretField
          key={saved}
          label={isThere ? texts.anotherValueOfYourOwn : texts.valueOfYourOwn}
          required
          isLong
          onChange={setValue}
          error={form.error ? explain(form.error) : undefined}
        />
        <Button type="submit" isBusy={form.isBusy}>
          {texts.saveYourOwnValue}
        </Button>
      </form>
    </section>
  );
}
