import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useAddress } from '../app/address.ts';
import { ask } from '../app/ask.ts';
import { useProjectId } from '../app/project.ts';
import { Button } from './button.tsx';
import { EnvironmentField } from './environment-field.tsx';
import { TextField } from './field.tsx';
import styles from './folder-choice.module.css';
import { words } from './words.texts.ts';

interface FolderChoiceProps {
  readonly environments: readonly { readonly slug: string; readonly name: string }[];
  /** A slug. */
  readonly environment: string;
  readonly path: string;
}

/** Which environment and folder is shown. */
export function FolderChoice({ environments, environment, path }: FolderChoiceProps) {
  const projectId = useProjectId();
  const [, go] = useAddress();
  const [text, setText] = useState(path);
  const listId = useId();
  const { data } = useQuery(ask('folders', 'list', { projectId, environment, path: '/', recursive: true }));
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
          value={environment}
          onChange={(slug) => go({ environment: slug, path: undefined })}
        />
        <TextField label={words.folder} list={listId} value={text} onChange={(event) => setText(event.target.value)} />
        <datalist id={listId}>
          <option value="/" />
          {data?.folders.map(({ id, name, relativePath }) => (
            <option key={id} value={relativePath ?? `/${name}`} />
          ))}
        </datalist>
        <span className={styles['open']}>
          <Button type="submit">{words.open}</Button>
        </span>
      </div>
    </form>
  );
}
