import type { Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useAddress } from '../../app/address.ts';
import { ask } from '../../app/ask.ts';
import { useProjectRights } from '../../app/rights.ts';
import { Named } from '../../ui/named.tsx';
import { Badge } from '../../ui/note.tsx';
import { usePlannedChange } from '../access/planned.ts';
import { Privileges } from '../privileges/privileges.tsx';
import { useIdentityPrivileges } from '../privileges/scope.ts';
import { AddIdentity } from './add-identity.tsx';
import { MemberPanel } from './member-panel.tsx';
import { Memberships } from './memberships.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

type IdentityMembership = Outputs['projectIdentities']['list']['identityMemberships'][number];

export function Identities({ projectId }: { readonly projectId: string }) {
  const may = useProjectRights(projectId);
  return (
    <Memberships
      projectId={projectId}
      query={useQuery({
        ...ask('projectIdentities', 'list', { projectId }),
        select: ({ identityMemberships }) => identityMemberships,
      })}
      label={words.machineIdentities}
      empty={texts.noMachineIsInThisProject}
      nameOf={({ identity }) => identity.name}
      who={[{ title: words.name, cell: ({ identity }) => <IdentityLink {...identity} /> }]}
      more={[{ title: texts.loginMethods, cell: ({ identity }) => <Methods methods={identity.authMethods} /> }]}
      since={texts.inProjectSince}
      add={
        may('identity', 'create') && {
          label: texts.addMachineIdentity,
          dialog: (close) => <AddIdentity projectId={projectId} onClose={close} />,
        }
      }
      details={(membership, close) => <OneIdentity projectId={projectId} membership={membership} onClose={close} />}
    />
  );
}

const IdentityLink = ({ id, name }: { readonly id: string; readonly name: string }) => (
  <Named id={id}>
    <Link to="/organization/identities/$identityId" params={{ identityId: id }}>
      {name}
    </Link>
  </Named>
);

const Methods = ({ methods }: { readonly methods: readonly string[] }) =>
  methods.length === 0 ? <Badge kind="warn">{texts.noneItCannotLog}</Badge> : methods.join(', ');

function OneIdentity({
  projectId,
  membership: { identityId, identity, roles },
  onClose,
}: {
  readonly projectId: string;
  readonly membership: IdentityMembership;
  readonly onClose: () => void;
}) {
  const may = useProjectRights(projectId);
  const update = usePlannedChange('projectIdentities', 'update');
  const remove = usePlannedChange('projectIdentities', 'remove');
  const [{ privilege = '' }] = useAddress();
  const privileges = useIdentityPrivileges(projectId, identityId, privilege === 'new' ? '' : privilege);
  return (
    <MemberPanel
      projectId={projectId}
      title={identity.name}
      about={{ identityId }}
      lead={
        <Link to="/organization/identities/$identityId" params={{ identityId }}>
          {texts.loginMethodsAndCredentials}
        </Link>
      }
      roles={roles}
      seen={{ identity: identityId }}
      update={may('identity', 'edit') ? update : undefined}
      toInput={(next) => ({ projectId, identityId, roles: next })}
      remove={may('identity', 'delete') ? remove : undefined}
      removed={{ projectId, identityId }}
      onClose={onClose}
    >
      <Privileges of={identity.name} projectId={projectId} scope={privileges} isEditable={may('identity', 'edit')} />
    </MemberPanel>
  );
}
