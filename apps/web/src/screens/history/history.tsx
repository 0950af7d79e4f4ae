import { useQuery } from '@tanstack/react-query';
import { ask } from '../../app/ask.ts';
import { useAddress } from '../../app/address.ts';
import { useFolderAddress, type FolderAddress } from '../../app/folder-address.ts';
import { useProjectRights } from '../../app/rights.ts';
import { Button } from '../../ui/button.tsx';
import { CheckField, Row } from '../../ui/field.tsx';
import { FolderChoice } from '../../ui/folder-choice.tsx';
import { Page } from '../../ui/page.tsx';
import { Queried } from '../../ui/query.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { CommitDialog } from './commit-dialog.tsx';
import { CompareForm, ComparisonDialog } from './compare.tsx';
import { RestoreDialog } from './restore.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

/** What happened in a folder; what differs between two instants; and the way back to one of them. */
export function Screen() {
  const { projectId, project, folder } = useFolderAddress();
  return (
    <Page title={words.history} lead={texts.allChangesOfFolder}>
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
        label={texts.withFoldersBelowIt}
        checked={recursive}
        onChange={({ target }) => go({ below: target.checked ? undefined : 'no', skip: undefined })}
      />
      <Queried query={commits}>
        {({ commits: found, totalCount }) => (
          <>
            <Table
              label={texts.commits}
              rows={found}
              keyOf={({ id }) => id}
              empty={texts.nothingHasHappenedHere}
              columns={[
                { title: words.when, cell: ({ createdAt }) => <Time at={createdAt} /> },
                { title: words.who, cell: ({ actor }) => actor.name ?? texts.unknown },
                { title: texts.message, cell: ({ message }) => message ?? '–' },
                { title: texts.revision, cell: ({ revision }) => revision },
                {
                  title: words.details,
                  cell: ({ id, revision }) => (
                    <Row>
                      <Button aria-label={texts.changesOfRevision(revision)} onClick={() => go({ commit: id })}>
                        {texts.changes}
                      </Button>
                      {may('commits', 'perform-rollback') && (
                        <Button
                          aria-label={texts.restoreToHereRevision(revision)}
                          onClick={() => go({ restore: String(revision) })}
                        >
                          {texts.restoreToHere}
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
                  {texts.newer}
                </Button>
                <Button disabled={offset + PAGE >= totalCount} onClick={() => go({ skip: String(offset + PAGE) })}>
                  {texts.older}
                </Button>
                <span>{texts.commitCount(totalCount)}</span>
              </Row>
            )}
          </>
        )}
      </Queried>
    </>
  );
}
