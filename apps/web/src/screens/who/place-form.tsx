import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAddress } from '../../app/address.ts';
import { ask } from '../../app/ask.ts';
import { Button } from '../../ui/button.tsx';
import { EnvironmentField } from '../../ui/environment-field.tsx';
import { TextField } from '../../ui/field.tsx';
import styles from './who.module.css';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

/** Which secret or folder is asked about. What is chosen is in the address. */
export function PlaceForm({ projectId }: { readonly projectId: string }) {
  const [{ environment = '', path = '/', name = '' }, go] = useAddress();
  const { data } = useQuery(ask('projects', 'get', { projectId }));
  const [typed, setTyped] = useState({ environment, path, name });
  const environments = data?.project.environments ?? [];
  return (
    <form
      className={styles['place']}
      onSubmit={(event) => {
        event.preventDefault();
        go({ ...typed, environment: typed.environment || environments[0]?.slug, actor: undefined });
      }}
    >
      <EnvironmentField
        environments={environments}
        value={typed.environment || (environments[0]?.slug ?? '')}
        onChange={(slug) => setTyped({ ...typed, environment: slug })}
      />
      <TextField
        label={words.folder}
        isMono
        required
        pattern="/.*"
        title={texts.pathSuchAsApp}
        value={typed.path}
        onChange={(event) => setTyped({ ...typed, path: event.target.value })}
      />
      <TextField
        label={texts.secretEmpty}
        isMono
        value={typed.name}
        onChange={(event) => setTyped({ ...typed, name: event.target.value })}
      />
      <Button kind="primary" type="submit" disabled={environments.length === 0}>
        {words.show}
      </Button>
    </form>
  );
}
