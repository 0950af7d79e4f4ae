import type { Outputs } from '@coffer/client';
import { useQueries } from '@tanstack/react-query';
import { ask } from '../../app/ask.ts';
import { Note } from '../../ui/note.tsx';

type Uses = Outputs['folders']['uses'];

/** What becomes of what names a folder. */
const WORDS = {
  rename: {
    references: 'These secrets refer to it. Their references follow',
    imports: 'These folders import it. Their imports follow',
    syncs: 'These syncs publish it, and continue to',
  },
  move: {
    references: 'These secrets refer to it. Their references follow',
    imports: 'These folders import it. They will import nothing from it any more',
    syncs: 'These syncs publish it. While they do, it cannot be moved',
  },
  delete: {
    references: 'These secrets refer to it. Their references break',
    imports: 'These folders import it. They will import nothing from it any more',
    syncs: 'These syncs publish it. They will publish nothing any more',
  },
} as const;

interface FolderUsesProps {
  readonly projectId: string;
  /** Of folders that exist. */
  readonly places: readonly { readonly environment: string; readonly path: string }[];
  readonly of: keyof typeof WORDS;
}

/** Warns of what elsewhere names some folders, as far as the user may see it. */
export function FolderUses({ projectId, places, of }: FolderUsesProps) {
  const answers = useQueries({ queries: places.map((place) => ask('folders', 'uses', { projectId, ...place })) });
  const all = (kind: keyof Uses): string[] => answers.flatMap(({ data }) => (data ? NAMES[kind](data) : []));
  return (
    <>
      {(['references', 'imports', 'syncs'] as const).map((kind) => {
        const names = [...new Set(all(kind))];
        return (
          names.length > 0 && (
            <Note key={kind} kind="warn">
              {WORDS[of][kind]}: {names.slice(0, SHOWN).join(', ')}
              {names.length > SHOWN && ` and ${names.length - SHOWN} more`}.
            </Note>
          )
        );
      })}
      {of === 'rename' && <p>Machines that read it by its path have to be told the new one.</p>}
    </>
  );
}

const SHOWN = 20;

const NAMES: { readonly [Kind in keyof Uses]: (uses: Uses) => string[] } = {
  references: ({ references }) =>
    references.map(({ environment, secretPath, secretKey }) => `${secretKey} in ${environment} ${secretPath}`),
  imports: ({ imports }) => imports.map(({ environment, secretPath }) => `${environment} ${secretPath}`),
  syncs: ({ syncs }) => syncs.map(({ name }) => name),
};
