import { useQueries } from '@tanstack/react-query';
import { ask } from '../../app/ask.ts';
import { Note } from '../../ui/note.tsx';
import { texts } from './texts.ts';

interface At {
  readonly environment: string;
  readonly secretPath: string;
}

interface TransferEffectProps {
  readonly projectId: string;
  /** Each folder, and where it is to be. */
  readonly pairs: readonly { readonly from: At; readonly to: At }[];
}

/** Names that are listed. */
const SHOWN = 20;

/** What comes to another place, and which secrets there have the same names. Values are not read. */
export function TransferEffect({ projectId, pairs }: TransferEffectProps) {
  const listed = (at: At) => ({
    ...ask('secrets', 'list', { projectId, ...at, recursive: true, viewSecretValue: false }),
    select: ({ secrets }: { secrets: readonly { secretPath: string; secretKey: string }[] }) =>
      secrets.map(({ secretPath, secretKey }) => `${secretPath.slice(at.secretPath.length)}/${secretKey}`),
  });
  const here = useQueries({ queries: pairs.map(({ from }) => listed(from)) });
  // Where no such folder is, nothing is.
  const there = useQueries({ queries: pairs.map(({ to }) => listed(to)) });
  if ([...here, ...there].some(({ isPending }) => isPending)) return <p>{texts.comparing}</p>;
  const total = here.reduce((sum, { data }) => sum + (data?.length ?? 0), 0);
  const taken = pairs.flatMap(({ to }, index) => {
    const known = new Set(there[index]?.data);
    return (here[index]?.data ?? []).filter((name) => known.has(name)).map((name) => to.secretPath + name);
  });
  const names = taken.slice(0, SHOWN).join(', ');
  return (
    <>
      <p>{texts.secretsWithAllFolders(total)}</p>
      {taken.length > 0 && (
        <Note kind="warn">
          {texts.namesTaken(taken.length, taken.length > SHOWN ? texts.andMore(names, taken.length - SHOWN) : names)}
        </Note>
      )}
    </>
  );
}
