import type { Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ask } from '../../app/ask.ts';
import { KindDetail, KindList, type Kind } from '../../ui/kind.tsx';
import { valueText } from '../../ui/schema-form/words.ts';
import { AUTHORITY } from './authorities-of.ts';
import { collectionPart, issuerPart } from './parts.tsx';
import { CertificateTabs } from './tabs.ts';

type Template = Outputs['certificateTemplates']['get'];

const AuthorityLink = ({ of: { projectId, caId, caName } }: { readonly of: Template }) => (
  <Link to={AUTHORITY} params={{ projectId, id: caId }}>
    {caName}
  </Link>
);

const templates: Kind<Template> = {
  what: 'template',
  title: 'Certificate templates',
  lead: 'What an authority issues to those who may use the template: patterns of names, and the longest validity.',
  empty: 'There is no template yet. New projects use profiles instead.',
  area: 'certificateTemplates',
  subject: 'certificate-templates',
  path: '/projects/$projectId/certificates/templates',
  Tabs: CertificateTabs,
  useRows: ({ search: _, ...listing }) =>
    useQuery({
      ...ask('certificateTemplates', 'list', listing),
      select: ({ certificateTemplates: rows, totalCount: total }) => ({ rows, total }),
    }),
  useRow: (certificateTemplateId) => useQuery(ask('certificateTemplates', 'get', { certificateTemplateId })),
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  refOf: ({ id }) => ({ certificateTemplateId: id }),
  aboutOf: ({ id }) => ({ certificateTemplateId: id }),
  given: () => ({}),
  columns: [
    { title: 'Authority', cell: (template) => <AuthorityLink of={template} /> },
    { title: 'Common name', cell: ({ commonName }) => <code>{commonName}</code> },
    { title: 'Validity', cell: ({ ttl }) => `at most ${ttl}` },
  ],
  factsOf: (template) => [
    ['Authority', <AuthorityLink key="authority" of={template} />],
    ['Common name', <code key="name">{template.commonName}</code>],
    ['Alternative names', <code key="names">{template.subjectAlternativeName}</code>],
    ['Validity', `at most ${template.ttl}`],
    ['Key usages', valueText(template.keyUsages)],
    ['Extended key usages', valueText(template.extendedKeyUsages)],
  ],
  form: {
    parts: { caId: issuerPart, pkiCollectionId: collectionPart },
    initial: { ttl: '90d' },
    affects: ['certificateTemplates'],
  },
  deletion: 'Its certificates stay.',
};

export const Screen = () => <KindList of={templates} />;
export const One = () => <KindDetail of={templates} />;
