import type { Outputs } from '@coffer/client';
import { useQueries } from '@tanstack/react-query';
import { ask } from '../../app/ask.ts';
import { Note } from '../../ui/note.tsx';
import { texts } from './texts.ts';

type Uses = Outputs['folders']['uses'];

/** What becomes of what names a folder. */
const WORDS = {
  rename: {
    references: texts.referencesFollow,
    imports: texts.importsFollow,
    syncs: texts.syncsContinue,
  },
  move: {
    references: texts.referencesFollow,
    imports: texts.importsEnd,
    syncs: texts.syncsKeepIt,
  },
  delete: {
    references: texts.referencesBreak,
    imports: texts.importsEnd,
    syncs: texts.syncsEnd,
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
              {WORDS[of][kind]}: {textOf(names)}.
            </Note>
          )
        );
      })}
      {of === 'rename' && <p>{texts.machinesThatReadItByItsPath}</p>}
    </>
  );
}

const SHOWN = 20;

function textOf(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN).join(', ');
  return names.length > SHOWN ? texts.andMore(shown, names.length - SHOWN) : shown;
}

const NAMES: { readonly [Kind in keyof Uses]: (uses: Uses) => string[] } = {
  references: ({ references }) =>
    references.map(({ environment, secretPath, secretKey }) => texts.keyAt(secretKey, environment, secretPath)),
  imports: ({ imports }) => imports.map(({ environment, secretPath }) => `${environment} ${secretPath}`),
  syncs: ({ syncs }) => syncs.map(({ name }) => name),
};
