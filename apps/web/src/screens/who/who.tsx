import { useQuery } from '@tanstack/react-query';
import { useAddress } from '../../app/address.ts';
import { useProjectId } from '../../app/project.ts';
import { ask } from '../../app/ask.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Badge, Empty, Note } from '../../ui/note.tsx';
import { Page } from '../../ui/page.tsx';
import { Queried } from '../../ui/query.tsx';
import { Table } from '../../ui/table.tsx';
import { Decision, grantsOf, grantText, MayList } from './decision.tsx';
import { PlaceForm } from './place-form.tsx';

const KINDS = { user: 'person', identity: 'machine', service: 'service token' } as const;
const PAGE = 100;

/** Who may do what to a secret or folder, and by which grant. */
export function Screen() {
  const projectId = useProjectId();
  const [{ environment, path = '/', name }] = useAddress();
  const what = environment ? [environment, path, name].filter(Boolean).join(' ') : undefined;
  return (
    <Page
      title="Who can access this?"
      lead="For a secret or a folder: everybody who may do something, and by which grant."
    >
      <PlaceForm key={what} projectId={projectId} />
      {environment ? (
        <Report projectId={projectId} environment={environment} secretPath={path} secretName={name} />
      ) : (
        <Empty>Choose an environment and a folder. With a name, it is about one secret.</Empty>
      )}
    </Page>
  );
}

interface ReportProps {
  readonly projectId: string;
  readonly environment: string;
  readonly secretPath: string;
  readonly secretName: string | undefined;
}

function Report({ projectId, environment, secretPath, secretName }: ReportProps) {
  const [{ actor: opened, action, from = '0' }, go] = useAddress();
  const offset = Number.parseInt(from, 10) || 0;
  const report = useQuery(
    ask('access', 'who', {
      projectId,
      environment,
      secretPath,
      offset,
      limit: PAGE,
      ...(secretName && { secretName }),
      ...(action && { action }),
    }),
  );
  return (
    <Queried query={report}>
      {({ access: { actors, totalCount, hiddenCount } }) => {
        const shown = actors.find(({ actor }) => actor.id === opened);
        return (
          <>
            <Table
              label="Who can access it"
              rows={actors}
              keyOf={({ actor }) => actor.id}
              empty="Nobody whom you may see can do anything here."
              columns={[
                {
                  title: 'Who',
                  cell: ({ actor }) => (
                    <>
                      {actor.name} <Badge>{KINDS[actor.type]}</Badge>
                      {actor.username && actor.username !== actor.name && <div>{actor.username}</div>}
                    </>
                  ),
                },
                { title: 'May', cell: ({ actions }) => <MayList actions={actions} /> },
                {
                  title: 'By',
                  cell: ({ actions }) => grantsOf(actions).map((grant) => <div key={grant.id}>{grantText(grant)}</div>),
                },
                {
                  title: 'Why',
                  cell: ({ actor }) => (
                    <Button kind="quiet" aria-label={`Why: ${actor.name}`} onClick={() => go({ actor: actor.id })}>
                      Why
                    </Button>
                  ),
                },
              ]}
            />
            {hiddenCount > 0 && <Note>{hiddenCount} more, whom you may not see.</Note>}
            {totalCount > offset + PAGE && (
              <Button onClick={() => go({ from: String(offset + PAGE) })}>Next {PAGE}</Button>
            )}
            {shown && (
              <Dialog title={`What ${shown.actor.name} may do`} look="side" onClose={() => go({ actor: undefined })}>
                {shown.actions.map((decision) => (
                  <Decision
                    key={`${decision.subject} ${decision.action}`}
                    name={shown.actor.name}
                    decision={decision}
                  />
                ))}
              </Dialog>
            )}
          </>
        );
      }}
    </Queried>
  );
}
