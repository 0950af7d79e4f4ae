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
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

type Listed = Outputs['sshAuthorities']['list']['cas'][number];
type Authority = Listed & { readonly publicKey?: string };

const SOURCES = { internal: texts.madeHere, external: texts.imported } as const;

const authorities: Kind<Authority> = {
  what: texts.authority,
  title: texts.sshAuthorities,
  lead: texts.whatSignsCertificatesOfUsers,
  empty: texts.thereIsNoAuthority,
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
    { title: words.status, cell: ({ status }) => labelOf(status) },
    { title: words.key, cell: ({ keyAlgorithm, keySource }) => `${keyAlgorithm}, ${SOURCES[keySource]}` },
    { title: words.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
  ],
  factsOf: ({ status, keyAlgorithm, keySource, createdAt }) => [
    [words.status, labelOf(status)],
    [words.key, `${keyAlgorithm}, ${SOURCES[keySource]}`],
    [words.created, <Time key="created" at={createdAt} />],
  ],
  form: { parts: { privateKey: SecretPart }, affects: ['sshAuthorities', 'sshHosts'] },
  deletion: texts.everythingThatItHasSigned,
  Actions: Rotate,
  More: PublicKey,
};

function Rotate({ of: { id: sshCaId, friendlyName, projectId, status } }: { readonly of: Authority }) {
  const may = useProjectRights(projectId);
  if (status !== 'active' || !may('ssh-certificate-authorities', 'edit')) return null;
  return (
    <FormButton label={texts.rotate} title={texts.rotateKeyOf(friendlyName)}>
      {(close) => (
        <OperationForm
          area="sshAuthorities"
          procedure="rotate"
          given={{ sshCaId }}
          submit={texts.rotate}
          {...formEnd(close, texts.hasNewKey(friendlyName))}
        />
      )}
    </FormButton>
  );
}

function PublicKey({ of: { id, publicKey } }: { readonly of: Authority }) {
  return (
    <Part title={texts.forHostsAndClients}>
      {publicKey && (
        <>
          <h3>{texts.keyThatSignsNow}</h3>
          <Code label={words.publicKey}>{publicKey}</Code>
        </>
      )}
      <h3>{texts.allKeysThatAreTrusted}</h3>
      <Code label={texts.addresses}>
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
    <Part title={texts.defaultsOfProject}>
      <Facts
        of={[
          [texts.forUsers, <AuthorityLink key="user" id={data.defaultUserSshCaId} />],
          [texts.forHosts, <AuthorityLink key="host" id={data.defaultHostSshCaId} />],
        ]}
      />
      {may('settings', 'edit') && (
        <FormButton label={texts.changeDefaults} title={texts.defaultsOfProject}>
          {(close) => (
            <OperationForm
              area="sshConfigs"
              procedure="update"
              given={{ projectId }}
              update={{ current: data }}
              parts={defaultParts}
              affects={['sshConfigs', 'sshHosts']}
              submit={words.save}
              {...formEnd(close, texts.defaultsAreSaved)}
            />
          )}
        </FormButton>
      )}
    </Part>
  );
}

export const Screen = () => <KindList of={authorities} />;
export const One = () => <KindDetail of={authorities} />;
