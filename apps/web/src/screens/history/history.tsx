import { useQuery } from '@tanstack/react-query';
import { ask } from '../../app/ask.ts';
import { useAddress } from '../../app/address.ts';
import { useFolderAddress, type FolderAddress } from '../../app/folder-address.ts';
import { useProjectRights } from '../../app/rights.ts';
import { Button } from '../../ui/button.tsx';
import { count } from '../../ui/count.ts';
import { CheckField, Row } from '../../ui/field.tsx';
import { FolderChoice } from '../../ui/folder-choice.tsx';
import { Page } from '../../ui/page.tsx';
import { Queried } from '../../ui/query.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { CommitDialog } from './commit-dialog.tsx';
import { CompareForm, ComparisonDialog } from './compare.tsx';
import { RestoreDialog } from './restore.tsx';

/** What happened in a folder; what differs between two instants; and the way back to one of them. */
export function Screen() {
  const { projectId, project, folder } = useFolderAddress();
  return (
    <Page title="History" lead="All changes of a folder, and how to restore it to an earlier state.">
      <Queried query={project}>
        {({ environments }) =>
          folder && (
            <>
              <FolderChoice environments={environments} {...folder} />
              <Opened key={`${folder.environment} ${folder.path}`} projectId={projectId} folder={folder} />
            </>
          )
        }
      </Queried>
    </Page>
  );
}

interface OpenedProps {
  readonly projectId: string;
  readonly folder: FolderAddress;
}

function Opened({ projectId, folder }: OpenedProps) {
  const [{ commit, compare, restore }] = useAddress();
  const place = { projectId, environment: folder.environment, secretPath: folder.path };
  return (
    <>
      <Commits projectId={projectId} folder={folder} />
      <CompareForm />
      {commit && <CommitDialog projectId={projectId} commitId={commit} />}
      {compare && <ComparisonDialog place={place} />}
      {restore && <RestoreDialog place={place} moment={restore} />}
    </>
  );
}

const PAGE = 50;

function Commits({ projectId, folder: { environment, path } }: OpenedProps) {
  const [{ skip = '0', below }, go] = useAddress();
  const offset = Number(skip) || 0;
  const may = useProjectRights(projectId);
  const recursive = below !== 'no';
  const commits = useQuery(
    ask('history', 'commits', { projectId, environment, secretPath: path, recursive, offset, limit: PAGE }),
  );
  return (
    <>
      <CheckField
        label="With the folders below it"
        checked={recursive}
        onChange={({ target }) => go({ below: target.checked ? undefined : 'no', skip: undefined })}
      />
      <Queried query={commits}>
        {({ commits: found, totalCount }) => (
          <>
            <Table
              label="Commits"
              rows={found}
              keyOf={({ id }) => id}
              empty="Nothing has happened here yet."
              columns={[
                { title: 'When', cell: ({ createdAt }) => <Time at={createdAt} /> },
                { title: 'Who', cell: ({ actor }) => actor.name ?? 'unknown' },
                { title: 'Message', cell: ({ message }) => message ?? '–' },
                { title: 'Revision', cell: ({ revision }) => revision },
                {
                  title: 'Details',
                  cell: ({ id, revision }) => (
                    <Row>
                      <Button aria-label={`Changes of revision ${revision}`} onClick={() => go({ commit: id })}>
                        Changes
                      </Button>
                      {may('commits', 'perform-rollback') && (
                        <Button
                          aria-label={`Restore to here…, revision ${revision}`}
                          onClick={() => go({ restore: String(revision) })}
                        >
                          Restore to here…
                        </Button>
                      )}
                    </Row>
                  ),
                },
              ]}
            />
            {totalCount > PAGE && (
              <Row>
                <Button disabled={offset === 0} onClick={() => go({ skip: String(Math.max(0, offset - PAGE)) })}>
                  Newer
                </Button>
                <Button disabled={offset + PAGE >= totalCount} onClick={() => go({ skip: String(offset + PAGE) })}>
                  Older
                </Button>
                <span>{count(totalCount, 'commit')}</span>
              </Row>
            )}
          </>
        )}
      </Queried>
    </>
  );
}
