import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { ask } from '../../app/ask.ts';
import { Button } from '../../ui/button.tsx';
import { EnvironmentField } from '../../ui/environment-field.tsx';
import { TextField } from '../../ui/field.tsx';
import styles from './folder-choice.module.css';
import { usePlace, type Place } from './place.ts';

interface FolderChoiceProps {
  readonly environments: readonly { readonly slug: string; readonly name: string }[];
  readonly place: Place;
}

/** Which environment and folder is shown. */
export function FolderChoice({ environments, place: { environmentSlug, path } }: FolderChoiceProps) {
  const { projectId, go } = usePlace();
  const [text, setText] = useState(path);
  const listId = useId();
  const { data } = useQuery(
    ask('folders', 'list', { projectId, environment: environmentSlug, path: '/', recursive: true }),
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        go({ path: text === '/' ? undefined : text });
      }}
    >
      <div className={styles['folder']}>
        <EnvironmentField
          environments={environments}
          value={environmentSlug}
          onChange={(environment) => go({ environment, path: undefined })}
        />
        <TextField label="Folder" list={listId} value={text} onChange={(event) => setText(event.target.value)} />
        <datalist id={listId}>
          <option value="/" />
          {data?.folders.map(({ id, name, relativePath }) => (
            <option key={id} value={relativePath ?? `/${name}`} />
          ))}
        </datalist>
        <span className={styles['open']}>
          <Button type="submit">Open</Button>
        </span>
      </div>
    </form>
  );
}
