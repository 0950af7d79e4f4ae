import { useQuery } from '@tanstack/react-query';
import { useAddress } from '../../app/address.ts';
import { useProjectId } from '../../app/project.ts';
import { ask } from '../../app/ask.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Named } from '../../ui/named.tsx';
import { Badge, Empty, Note } from '../../ui/note.tsx';
import { Page } from '../../ui/page.tsx';
import { Queried } from '../../ui/query.tsx';
import { distinct } from '../../ui/short-id.ts';
import { Table } from '../../ui/table.tsx';
import { markOf } from '../access/actor.ts';
import { Decision, grantsOf, MayList, useGrantText } from './decision.tsx';
import { PlaceForm } from './place-form.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

const KINDS = { user: texts.person, identity: texts.machine, service: texts.serviceTokenInText } as const;
const PAGE = 100;

/** Who may do what to a secret or folder, and by which grant. */
export function Screen() {
  const projectId = useProjectId();
  const [{ environment, path = '/', name }] = useAddress();
  const what = environment ? [environment, path, name].filter(Boolean).join(' ') : undefined;
  return (
    <Page title={texts.whoCanAccessThis} lead={texts.forSecretOrFolder}>
      <PlaceForm key={what} projectId={projectId} />
      {environment ? (
        <Report projectId={projectId} environment={environment} secretPath={path} secretName={name} />
      ) : (
        <Empty>{texts.chooseEnvironmentAndFolder}</Empty>
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
  const { grantText } = useGrantText();
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
              label={texts.whoCanAccessIt}
              rows={actors}
              keyOf={({ actor }) => actor.id}
              empty={texts.nobodyWhomYouMaySee}
              columns={[
                {
                  title: words.who,
                  cell: ({ actor }) => (
                    <Named by={markOf(actor)}>
                      {actor.name} <Badge>{KINDS[actor.type]}</Badge>
                    </Named>
                  ),
                },
                { title: texts.may, cell: ({ actions }) => <MayList actions={actions} /> },
                {
                  title: words.by,
                  cell: ({ actions }) => grantsOf(actions).map((grant) => <div key={grant.id}>{grantText(grant)}</div>),
                },
                {
                  title: texts.why,
                  cell: ({ actor }) => (
                    <Button kind="quiet" aria-label={texts.whyName(actor.name)} onClick={() => go({ actor: actor.id })}>
                      {texts.why}
                    </Button>
                  ),
                },
              ]}
            />
            {hiddenCount > 0 && <Note>{texts.moreWhomYouMayNotSee(hiddenCount)}</Note>}
            {totalCount > offset + PAGE && (
              <Button onClick={() => go({ from: String(offset + PAGE) })}>{texts.nextPage(PAGE)}</Button>
            )}
            {shown && (
              <Dialog title={texts.whatMayDo(shown.actor.name)} look="side" onClose={() => go({ actor: undefined })}>
                {shown.actions.map((decision) => (
                  <Decision
                    key={`${decision.subject} ${decision.action}`}
                    name={distinct(shown.actor.name, markOf(shown.actor))}
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
