import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { ask } from '../../app/ask.ts';
import { Part } from '../../ui/detail.tsx';
import { TextField } from '../../ui/field.tsx';
import { Badge } from '../../ui/note.tsx';
import { Queried } from '../../ui/query.tsx';
import { Table } from '../../ui/table.tsx';
import type { Place } from './place.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

/** Lines that are shown at once. */
const SHOWN = 200;

interface Line {
  readonly key: string;
  readonly from: string;
  /** What comes before it; absent if it counts. */
  readonly hiddenBy: string | undefined;
}

/** The names that come from elsewhere, and from where: values are not read. */
export function Imported({ place: { projectId, environment, path } }: { readonly place: Place }) {
  const [text, setText] = useState('');
  const wanted = useDeferredValue(text.trim().toLowerCase());
  const found = useQuery({
    ...ask('secrets', 'list', {
      ...{ projectId, environment, secretPath: path },
      ...{ includeImports: true, viewSecretValue: false },
    }),
    select: linesOf,
  });
  return (
    <Part title={texts.importedSecrets}>
      <Queried query={found}>
        {(all) => {
          const lines = all.filter(({ key }) => key.toLowerCase().includes(wanted));
          return (
            <>
              {all.length > 0 && (
                <TextField
                  label={texts.searchInImportedSecrets}
                  value={text}
                  onChange={(event) => setText(event.target.value)}
                />
              )}
              <Table
                label={texts.importedSecrets}
                rows={lines.slice(0, SHOWN)}
                keyOf={({ key, from }) => `${key} ${from}`}
                empty={all.length > 0 ? texts.nothingHasThisName : texts.nothingComesFromOtherFolders}
                columns={[
                  { title: words.key, cell: ({ key }) => <code>{key}</code> },
                  { title: texts.comesFrom, cell: ({ from }) => from },
                  {
                    title: texts.counts,
                    cell: ({ hiddenBy }) =>
                      hiddenBy === undefined ? (
                        <Badge kind="good">{texts.yes}</Badge>
                      ) : (
                        <Badge kind="warn">{texts.noHiddenBy(hiddenBy)}</Badge>
                      ),
                  },
                ]}
              />
              {lines.length > SHOWN && <p>{texts.andSecrets(lines.length - SHOWN)}</p>}
            </>
          );
        }}
      </Queried>
    </Part>
  );
}

interface Listed {
  readonly secrets: readonly { readonly secretKey: string }[];
  readonly imports?: readonly {
    readonly environment: string;
    readonly secretPath: string;
    readonly secrets: readonly { readonly secretKey: string }[];
  }[];
}

/** A folder's own secrets count before imported ones, and of these the last import. */
function linesOf({ secrets, imports = [] }: Listed): Line[] {
  const counted = new Map(secrets.map(({ secretKey }) => [secretKey, texts.thisFolderHasItsOwn]));
  const lines = imports.toReversed().flatMap(({ environment, secretPath, secrets: imported }) => {
    const from = `${environment} ${secretPath}`;
    const some = imported.map(({ secretKey }) => ({ key: secretKey, from, hiddenBy: counted.get(secretKey) }));
    for (const { secretKey } of imported)
      if (!counted.has(secretKey)) counted.set(secretKey, texts.laterImportHasIt(from));
    return some;
  });
  return lines.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}
