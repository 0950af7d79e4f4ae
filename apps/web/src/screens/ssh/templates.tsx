import type { Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../app/ask.ts';
import { KindDetail, KindList, type Kind } from '../../ui/kind.tsx';
import { labelOf, valueText } from '../../ui/schema-form/words.ts';
import { ByMachine } from '../api-reference/by-machine.tsx';
import { AuthorityLink, authorityPart } from './parts.tsx';
import { SshTabs } from './tabs.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

type Template = Outputs['sshTemplates']['get'];

const namesOf = (map: Readonly<Record<string, string>>): string =>
  Object.entries(map)
    .map(([name, value]) => (value ? `${name}=${value}` : name))
    .join(', ');

const templates: Kind<Template> = {
  what: texts.template,
  title: texts.sshCertificateTemplates,
  lead: texts.whatMayBeIssued,
  empty: texts.thereIsNoTemplate,
  area: 'sshTemplates',
  subject: 'ssh-certificate-templates',
  path: '/projects/$projectId/ssh/templates',
  Tabs: SshTabs,
  useRows: ({ projectId }) =>
    useQuery({ ...ask('sshTemplates', 'list', { projectId }), select: ({ certificateTemplates: rows }) => ({ rows }) }),
  useRow: (certificateTemplateId) => useQuery(ask('sshTemplates', 'get', { certificateTemplateId })),
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  refOf: ({ id }) => ({ certificateTemplateId: id }),
  aboutOf: ({ id }) => ({ certificateTemplateId: id }),
  given: () => ({}),
  columns: [
    { title: words.authority, cell: ({ sshCaId }) => <AuthorityLink id={sshCaId} /> },
    { title: texts.users, cell: ({ allowedUsers }) => allowedUsers.join(', ') || '–' },
    { title: texts.hosts, cell: ({ allowedHosts }) => allowedHosts.join(', ') || '–' },
    { title: texts.validity, cell: ({ ttl, maxTTL }) => texts.atMost(ttl, maxTTL) },
    { title: words.status, cell: ({ status }) => labelOf(status) },
  ],
  factsOf: (template) => [
    [words.status, labelOf(template.status)],
    [words.authority, <AuthorityLink key="authority" id={template.sshCaId} />],
    [
      texts.userCertificates,
      template.allowUserCertificates ? texts.forAllowedUsers(template.allowedUsers.join(', ')) : words.no,
    ],
    [
      texts.hostCertificates,
      template.allowHostCertificates ? texts.forAllowedUsers(template.allowedHosts.join(', ')) : words.no,
    ],
    [texts.validity, texts.atMost(template.ttl, template.maxTTL)],
    [texts.keyIdsCanBeChosen, valueText(template.allowCustomKeyIds)],
    [texts.criticalOptions, namesOf(template.defaultCriticalOptions)],
    [texts.furtherCriticalOptions, valueText(template.allowedCriticalOptions)],
    [texts.extensions, namesOf(template.defaultExtensions)],
    [texts.furtherExtensions, valueText(template.allowedExtensions)],
  ],
  form: {
    parts: { sshCaId: authorityPart },
    prominent: ['ttl', 'maxTTL'],
    initial: { allowUserCertificates: true, allowedUsers: [''], allowedHosts: [] },
    affects: ['sshTemplates'],
  },
  More: ({ of: { id } }) => (
    <ByMachine
      title={texts.issueSshCredentials}
      commandLine={`coffer ssh issue-credentials --certificateTemplateId ${id} --principals ops --domain ${location.origin}`}
      operation="sshCertificates_issue"
      body={{ certificateTemplateId: id, principals: ['ops'] }}
    />
  ),
};

export const Screen = () => <KindList of={templates} />;
export const One = () => <KindDetail of={templates} />;
