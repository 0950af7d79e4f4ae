import type { Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../app/ask.ts';
import { useProjectId } from '../../app/project.ts';
import { useProjectRights } from '../../app/rights.ts';
import { Code } from '../../ui/code.tsx';
import { Facts, Part } from '../../ui/detail.tsx';
import { FormButton, formEnd } from '../../ui/form-button.tsx';
import { KindDetail, KindList, type Kind } from '../../ui/kind.tsx';
import { OperationForm } from '../../ui/schema-form/operation-form.tsx';
import { SecretPart } from '../../ui/schema-form/scalars.tsx';
import { labelOf } from '../../ui/schema-form/words.ts';
import { Time } from '../../ui/time.tsx';
import { AuthorityLink, defaultParts } from './parts.tsx';
import { SshTabs } from './tabs.ts';

type Listed = Outputs['sshAuthorities']['list']['cas'][number];
type Authority = Listed & { readonly publicKey?: string };

const SOURCES = { internal: 'made here', external: 'imported' } as const;

const authorities: Kind<Authority> = {
  what: 'authority',
  title: 'SSH authorities',
  lead: 'What signs the certificates of users and hosts.',
  empty: 'There is no authority yet: a project gets its two with its first host.',
  area: 'sshAuthorities',
  subject: 'ssh-certificate-authorities',
  path: '/projects/$projectId/ssh/authorities',
  Tabs: () => (
    <>
      <SshTabs />
      <Defaults />
    </>
  ),
  useRows: ({ projectId }) =>
    useQuery({ ...ask('sshAuthorities', 'list', { projectId }), select: ({ cas: rows }) => ({ rows }) }),
  useRow: (sshCaId) => useQuery({ ...ask('sshAuthorities', 'get', { sshCaId }), select: ({ ca }): Authority => ca }),
  idOf: ({ id }) => id,
  nameOf: ({ friendlyName }) => friendlyName,
  refOf: ({ id }) => ({ sshCaId: id }),
  aboutOf: ({ id }) => ({ sshCaId: id }),
  columns: [
    { title: 'Status', cell: ({ status }) => labelOf(status) },
    { title: 'Key', cell: ({ keyAlgorithm, keySource }) => `${keyAlgorithm}, ${SOURCES[keySource]}` },
    { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
  ],
  factsOf: ({ status, keyAlgorithm, keySource, createdAt }) => [
    ['Status', labelOf(status)],
    ['Key', `${keyAlgorithm}, ${SOURCES[keySource]}`],
    ['Created', <Time key="created" at={createdAt} />],
  ],
  form: { parts: { privateKey: SecretPart }, affects: ['sshAuthorities', 'sshHosts'] },
  deletion: 'Everything that it has signed is revoked.',
  Actions: Rotate,
  More: PublicKey,
};

function Rotate({ of: { id: sshCaId, friendlyName, projectId, status } }: { readonly of: Authority }) {
  const may = useProjectRights(projectId);
  if (status !== 'active' || !may('ssh-certificate-authorities', 'edit')) return null;
  return (
    <FormButton label="Rotate" title={`Rotate the key of ${friendlyName}`}>
      {(close) => (
        <OperationForm
          area="sshAuthorities"
          procedure="rotate"
          given={{ sshCaId }}
          submit="Rotate"
          {...formEnd(close, `${friendlyName} has a new key`)}
        />
      )}
    </FormButton>
  );
}

function PublicKey({ of: { id, publicKey } }: { readonly of: Authority }) {
  return (
    <Part title="For hosts and clients">
      {publicKey && (
        <>
          <h3>The key that signs now</h3>
          <Code label="Public key">{publicKey}</Code>
        </>
      )}
      <h3>All keys that are trusted, and what is revoked</h3>
      <Code label="Addresses">
        {`${location.origin}/api/v1/ssh/ca/${id}/public-key\n${location.origin}/api/v1/ssh/ca/${id}/krl`}
      </Code>
    </Part>
  );
}

/** What hosts have that name no authority. Those who may not read settings do not see it. */
function Defaults() {
  const projectId = useProjectId();
  const may = useProjectRights(projectId);
  const { data } = useQuery({ ...ask('sshConfigs', 'get', { projectId }), retry: false });
  if (!data) return null;
  return (
    <Part title="Defaults of the project">
      <Facts
        of={[
          ['For users', <AuthorityLink key="user" id={data.defaultUserSshCaId} />],
          ['For hosts', <AuthorityLink key="host" id={data.defaultHostSshCaId} />],
        ]}
      />
      {may('settings', 'edit') && (
        <FormButton label="Change the defaults" title="Defaults of the project">
          {(close) => (
            <OperationForm
              area="sshConfigs"
              procedure="update"
              given={{ projectId }}
              update={{ current: data }}
              parts={defaultParts}
              affects={['sshConfigs', 'sshHosts']}
              submit="Save"
              {...formEnd(close, 'The defaults are saved')}
            />
          )}
        </FormButton>
      )}
    </Part>
  );
}

export const Screen = () => <KindList of={authorities} />;
export const One = () => <KindDetail of={authorities} />;
