import type { CofferError, Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { useAddress } from '../../app/address.ts';
import { useProjectId } from '../../app/project.ts';
import { ask } from '../../app/ask.ts';
import { Badge, Empty, Note } from '../../ui/note.tsx';
import { Page } from '../../ui/page.tsx';
import { Queried } from '../../ui/query.tsx';
import { ruleText } from '../../ui/rule.ts';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import access from '../access/access.module.css';
import { useGrantText } from '../who/decision.tsx';
import { GrantRules } from '../who/grant-rules.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

type ActorAccess = Outputs['access']['me']['access'];

/** What one user or machine may do in a project or the organization, and by which grants. Without one: the caller. */
export function Screen() {
  const projectId = useProjectId();
  const [{ user, identity }] = useAddress();
  const query = useQuery<{ access: ActorAccess }, CofferError>(
    projectId ? inProject(projectId, user, identity) : inOrganization(user, identity),
  );
  const name = query.data?.access.actor.name;
  return (
    <Page title={name ? texts.whatMayDo(name) : texts.effectivePermissions} lead={texts.allRolesGroupsAndPrivileges}>
      {query.error?.status === 404 ? (
        <Empty>{texts.theyHoldNothingHere}</Empty>
      ) : (
        <Queried query={query}>{({ access: found }) => <Shown {...found} />}</Queried>
      )}
    </Page>
  );
}

const inProject = (projectId: string, userId?: string, identityId?: string) =>
  userId
    ? ask('access', 'user', { projectId, userId })
    : identityId
      ? ask('access', 'identity', { projectId, identityId })
      : ask('access', 'me', { projectId });

const inOrganization = (userId?: string, identityId?: string) =>
  userId
    ? ask('access', 'userInOrganization', { userId })
    : identityId
      ? ask('access', 'identityInOrganization', { identityId })
      : ask('access', 'meInOrganization', {});

const STATES = { active: 'good', upcoming: 'warn', over: 'bad' } as const;

function Shown({ grants, table, rules, changesAt }: ActorAccess) {
  const { grantText } = useGrantText();
  return (
    <>
      {changesAt && <Note>{texts.thisChangesWhenGrant(<Time at={changesAt} />)}</Note>}
      <section className={access['section']}>
        <h2>{texts.grantsInOrder}</h2>
        <Table
          label={texts.grants}
          rows={grants}
          keyOf={({ id }) => id}
          empty={texts.noGrantAtAll}
          columns={[
            { title: texts.grant, cell: (grant) => grantText(grant) },
            { title: words.state, cell: ({ state }) => <Badge kind={STATES[state]}>{state}</Badge> },
            {
              title: words.rules,
              cell: (grant) => <GrantRules of={grant} />,
            },
          ]}
        />
      </section>
      <section>
        <h2>{texts.whatFollows}</h2>
        <Table
          label={texts.permissions}
          rows={[...Map.groupBy(table, ({ subject }) => subject)].filter(([, rows]) =>
            rows.some(({ access: one }) => one !== 'never'),
          )}
          keyOf={([subject]) => subject}
          empty={texts.nothingIsAllowed}
          columns={[
            { title: words.subject, cell: ([subject]) => <strong>{subject}</strong> },
            { title: texts.always, cell: ([, rows]) => actionsOf(rows, 'always') },
            {
              title: texts.underConditions,
              cell: ([, rows]) =>
                rows
                  .filter(({ access: one }) => one === 'sometimes')
                  .map((row) => (
                    <details key={row.action}>
                      <summary>{row.action}</summary>
                      {row.rules.map((index) => (
                        <div key={index}>{textOf(rules[index])}</div>
                      ))}
                    </details>
                  )),
            },
            { title: texts.never, cell: ([, rows]) => actionsOf(rows, 'never') },
          ]}
        />
      </section>
    </>
  );
}

const actionsOf = (rows: ActorAccess['table'], wanted: 'always' | 'never'): string =>
  rows
    .filter(({ access: one }) => one === wanted)
    .map(({ action }) => action)
    .join(', ');

const textOf = (found: ActorAccess['rules'][number] | undefined): string =>
  found?.rule ? ruleText(found.rule) : texts.ruleThatYouMayNotRead;
