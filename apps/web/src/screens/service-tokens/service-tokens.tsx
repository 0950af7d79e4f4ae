import type { Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { useAddress } from '../../app/address.ts';
import { ask, useChange } from '../../app/ask.ts';
import { useProjectId } from '../../app/project.ts';
import { useProjectRights } from '../../app/rights.ts';
import { Act } from '../../ui/act.tsx';
import { NewButton } from '../../ui/creation.tsx';
import { EventsLink } from '../../ui/events-link.tsx';
import { Named } from '../../ui/named.tsx';
import { Badge } from '../../ui/note.tsx';
import { Page } from '../../ui/page.tsx';
import { Queried } from '../../ui/query.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { addressBeside, nameOf } from '../access/person.ts';
import { NewServiceToken } from './new-service-token.tsx';
import styles from './service-tokens.module.css';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

type ServiceToken = Outputs['serviceTokens']['list']['serviceTokenData'][number];

/** The service tokens of a project: who created them, what they may do, and until when. */
export function Screen() {
  const projectId = useProjectId();
  const may = useProjectRights(projectId);
  const [{ new: isNew }, go] = useAddress();
  const tokens = useQuery(ask('serviceTokens', 'list', { workspaceId: projectId }));
  return (
    <Page
      title={texts.serviceTokens}
      lead={texts.lead}
      actions={may('service-tokens', 'create') && <NewButton>{texts.newServiceToken}</NewButton>}
    >
      <Queried query={tokens}>
        {({ serviceTokenData }) => (
          <Table
            label={texts.serviceTokens}
            rows={serviceTokenData}
            keyOf={({ id }) => id}
            empty={texts.thereIsNone}
            columns={[
              { title: words.name, cell: ({ id, name }) => <Named id={id}>{name}</Named> },
              { title: texts.rights, cell: (token) => <Rights of={token} /> },
              { title: texts.createdBy, cell: (token) => <Creator of={token} /> },
              { title: words.lastUsed, cell: ({ lastUsed }) => <Time at={lastUsed} /> },
              { title: words.ends, cell: (token) => <End of={token} /> },
              { title: texts.events, cell: ({ id }) => <EventsLink of={{ about: { serviceTokenId: id } }} /> },
              { title: words.revoke, cell: (token) => may('service-tokens', 'delete') && <Revoke of={token} /> },
            ]}
          />
        )}
      </Queried>
      {isNew && may('service-tokens', 'create') && (
        <NewServiceToken projectId={projectId} onClose={() => go({ new: undefined })} />
      )}
    </Page>
  );
}

interface OfToken {
  readonly of: ServiceToken;
}

const Rights = ({ of: { scopes, permissions } }: OfToken) =>
  permissions.length === 0
    ? texts.noRights
    : scopes.map(({ environment, secretPath }) => (
        <div key={`${environment} ${secretPath}`} className={styles['scope']}>
          {texts.ofFolder(permissions.join(', '), environment, secretPath)}
        </div>
      ));

/** A token ends with who created it. */
function Creator({ of: { creator } }: OfToken) {
  if (!creator) return <Badge kind="bad">{texts.deletedUser}</Badge>;
  return <Named by={addressBeside(creator)}>{nameOf(creator)}</Named>;
}

function End({ of: { expiresAt } }: OfToken) {
  if (expiresAt === null) return texts.doesNotEnd;
  return (
    <>
      <Time at={expiresAt} /> {Date.parse(expiresAt) <= Date.now() && <Badge kind="bad">{texts.ended}</Badge>}
    </>
  );
}

function Revoke({ of: { id, name } }: OfToken) {
  const revoke = useChange('serviceTokens', 'delete');
  return (
    <Act
      label={words.revoke}
      kind="danger"
      run={() => revoke.mutateAsync({ serviceTokenId: id })}
      done={texts.isRevoked(name)}
      ask={{ title: texts.revokeQuestion(name), children: <p>{texts.whoeverUsesItIsRefused}</p> }}
    />
  );
}
