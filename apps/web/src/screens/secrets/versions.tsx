import { useQuery } from '@tanstack/react-query';
import { ask } from '../../app/ask.ts';
import { hide, reveal, useRevealed } from '../../app/reveal.ts';
import { Button } from '../../ui/button.tsx';
import { Badge } from '../../ui/note.tsx';
import { Queried } from '../../ui/query.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { toast, toastError } from '../../ui/toast.tsx';
import { amend, type Draft } from './drafts.ts';
import { readValue, valueName } from './value.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

type At = Pick<Draft, 'environment' | 'secretPath' | 'secretKey'>;

interface VersionsProps {
  readonly projectId: string;
  readonly secretId: string;
  readonly at: At;
  readonly current: number;
  /** Whether an older version may be taken over. */
  readonly isWritable: boolean;
}

/** The versions of a secret, newest first: each can be revealed, and taken over as a draft. */
export function Versions({ projectId, secretId, at, current, isWritable }: VersionsProps) {
  const versions = useQuery(ask('secrets', 'versions', { secretId, limit: 50, viewSecretValue: false }));
  const restore = (version: number) => {
    readValue(projectId, at, { version })
      .then(({ value, isHidden }) => {
        if (isHidden) return toast(texts.youMayNotReadThisVersion);
        amend(projectId, [{ ...at, kind: 'update', value, expectedVersion: current }]);
        toast(texts.versionIsDraftNow(version));
      })
      .catch(toastError);
  };
  return (
    <section>
      <h3>{texts.versions}</h3>
      <Queried query={versions}>
        {({ secretVersions }) => (
          <Table
            label={texts.versions}
            rows={secretVersions}
            keyOf={({ version }) => String(version)}
            empty={texts.thereIsNoVersion}
            columns={[
              { title: words.version, cell: ({ version }) => version },
              { title: texts.written, cell: ({ createdAt }) => <Time at={createdAt} /> },
              { title: words.by, cell: ({ actor }) => actor?.name ?? '–' },
              { title: words.value, cell: ({ version }) => <Value projectId={projectId} at={at} version={version} /> },
              {
                title: texts.restore,
                cell: ({ version }) =>
                  version === current ? (
                    <Badge>{texts.current}</Badge>
                  ) : (
                    isWritable && <Button onClick={() => restore(version)}>{texts.restore}</Button>
                  ),
              },
            ]}
          />
        )}
      </Queried>
    </section>
  );
}

function Value({ projectId, at, version }: { readonly projectId: string; readonly at: At; readonly version: number }) {
  const name = `${valueName(projectId, at)}\n${version}`;
  const shown = useRevealed(name);
  const show = () => {
    readValue(projectId, at, { version })
      .then(({ value, isHidden }) => (isHidden ? toast(texts.youMayNotReadThisVersion) : reveal(name, value)))
      .catch(toastError);
  };
  return shown === undefined ? (
    <Button kind="quiet" onClick={show}>
      {texts.reveal}
    </Button>
  ) : (
    <button type="button" onClick={() => hide(name)} title={words.hide}>
      <code>{shown}</code>
    </button>
  );
}
