import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ask } from '../../app/ask.ts';
import { session } from '../../app/session.ts';
import { useStore } from '../../app/store.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Part } from '../../ui/detail.tsx';
import { Row } from '../../ui/field.tsx';
import { Badge } from '../../ui/note.tsx';
import { Queried } from '../../ui/query.tsx';
import { ruleText } from '../../ui/rule.ts';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useGrantText } from '../who/decision.tsx';
import { GrantRules } from '../who/grant-rules.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

const STATES = { active: 'good', upcoming: 'warn', over: 'bad' } as const;
const REQUESTS = { pending: 'warn', approved: 'good', rejected: 'bad' } as const;

/** What the user holds in the project, until when, and what they have asked for. */
export function Yours({ projectId }: { readonly projectId: string }) {
  const own = useQuery(ask('access', 'me', { projectId }));
  const { grantName } = useGrantText();
  return (
    <>
      <Queried query={own}>
        {({ access: { grants, changesAt } }) => (
          <Part title={texts.whatYouHold}>
            {changesAt && <p>{texts.thisChanges(<Time at={changesAt} />)}</p>}
            <Table
              label={texts.whatYouHold}
              rows={grants}
              keyOf={({ id }) => id}
              empty={texts.youHoldNothingInThisProject}
              columns={[
                { title: texts.grant, cell: (one) => grantName(one) },
                { title: words.state, cell: ({ state }) => <Badge kind={STATES[state]}>{state}</Badge> },
                { title: words.from, cell: ({ startsAt }) => (startsAt ? <Time at={startsAt} /> : '–') },
                { title: texts.until, cell: ({ endsAt }) => (endsAt ? <Time at={endsAt} /> : texts.permanent) },
                { title: words.rules, cell: (one) => <GrantRules of={one} /> },
              ]}
            />
            <Row>
              <Link
                className={buttonClass('primary')}
                to="/projects/$projectId/inbox"
                params={{ projectId }}
                search={{ tab: 'access', ask: 'secrets' }}
              >
                {texts.askForMoreAccess}
              </Link>
              <Link to="/projects/$projectId/effective" params={{ projectId }}>
                {texts.whatFollowsFromAllOfIt}
              </Link>
            </Row>
          </Part>
        )}
      </Queried>
      <OwnRequests projectId={projectId} />
    </>
  );
}

/** Their requests for access, the open ones too. */
function OwnRequests({ projectId }: { readonly projectId: string }) {
  const now = useStore(session);
  const userId = now.state === 'signed-in' ? now.user.id : '';
  const { data } = useQuery(ask('projects', 'get', { projectId }));
  const projectSlug = data?.project.slug ?? '';
  const requests = useQuery({
    ...ask('accessApprovals', 'list', { projectSlug }),
    enabled: projectSlug !== '',
    select: ({ requests: all }) => all.filter(({ requestedByUserId }) => requestedByUserId === userId),
  });
  return (
    <Part title={texts.whatYouHaveAsked}>
      <Queried query={requests}>
        {(own) => (
          <Table
            label={texts.whatYouHaveAsked}
            rows={own}
            keyOf={({ id }) => id}
            empty={texts.youHaveNotAsked}
            columns={[
              { title: texts.asked, cell: ({ createdAt }) => <Time at={createdAt} /> },
              {
                title: texts.access,
                cell: ({ rules }) =>
                  rules.map((rule, index) => <div key={`${index} ${rule.subject}`}>{ruleText(rule)}</div>),
              },
              {
                title: texts.forHowLong,
                cell: ({ isTemporary, temporaryRange }) => (isTemporary ? temporaryRange : texts.permanent),
              },
              { title: words.state, cell: ({ status }) => <Badge kind={REQUESTS[status]}>{status}</Badge> },
            ]}
          />
        )}
      </Queried>
    </Part>
  );
}
