import type { Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../app/ask.ts';
import { KindDetail, KindList, type Kind } from '../../ui/kind.tsx';
import { labelOf, valueText } from '../../ui/schema-form/words.ts';
import { ByMachine } from '../api-reference/by-machine.tsx';
import { AuthorityLink, authorityPart } from './parts.tsx';
import { SshTabs } from './tabs.ts';

type Template = Outputs['sshTemplates']['get'];

const namesOf = (map: Readonly<Record<string, string>>): string =>
  Object.entries(map)
    .map(([name, value]) => (value ? `${name}=${value}` : name))
    .join(', ');

const templates: Kind<Template> = {
  what: 'template',
  title: 'SSH certificate templates',
  lead: 'What may be issued outside of hosts: for whom, and for how long.',
  empty: 'There is no template yet. Logins on hosts need none.',
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
    { title: 'Authority', cell: ({ sshCaId }) => <AuthorityLink id={sshCaId} /> },
    { title: 'Users', cell: ({ allowedUsers }) => allowedUsers.join(', ') || '–' },
    { title: 'Hosts', cell: ({ allowedHosts }) => allowedHosts.join(', ') || '–' },
    { title: 'Validity', cell: ({ ttl, maxTTL }) => `${ttl}, at most ${maxTTL}` },
    { title: 'Status', cell: ({ status }) => labelOf(status) },
  ],
  factsOf: (template) => [
    ['Status', labelOf(template.status)],
    ['Authority', <AuthorityLink key="authority" id={template.sshCaId} />],
    ['User certificates', template.allowUserCertificates ? `for ${template.allowedUsers.join(', ')}` : 'No'],
    ['Host certificates', template.allowHostCertificates ? `for ${template.allowedHosts.join(', ')}` : 'No'],
    ['Validity', `${template.ttl}, at most ${template.maxTTL}`],
    ['Key IDs can be chosen', valueText(template.allowCustomKeyIds)],
    ['Critical options', namesOf(template.defaultCriticalOptions)],
    ['Further critical options', valueText(template.allowedCriticalOptions)],
    ['Extensions', namesOf(template.defaultExtensions)],
    ['Further extensions', valueText(template.allowedExtensions)],
  ],
  form: {
    parts: { sshCaId: authorityPart },
    prominent: ['ttl', 'maxTTL'],
    initial: { allowUserCertificates: true, allowedUsers: [''], allowedHosts: [] },
    affects: ['sshTemplates'],
  },
  More: ({ of: { id } }) => (
    <ByMachine
      title="Issue SSH credentials"
      commandLine={`coffer ssh issue-credentials --certificateTemplateId ${id} --principals ops --domain ${location.origin}`}
      operation="sshCertificates_issue"
      body={{ certificateTemplateId: id, principals: ['ops'] }}
    />
  ),
};

export const Screen = () => <KindList of={templates} />;
export const One = () => <KindDetail of={templates} />;
