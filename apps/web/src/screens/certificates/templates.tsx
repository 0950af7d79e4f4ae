import type { Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ask } from '../../app/ask.ts';
import { KindDetail, KindList, type Kind } from '../../ui/kind.tsx';
import { valueText } from '../../ui/schema-form/words.ts';
import { AUTHORITY } from './authorities-of.ts';
import { collectionPart, issuerPart } from './parts.tsx';
import { CertificateTabs } from './tabs.ts';
import { texts } from './enrolment.texts.ts';
import { words } from '../../ui/words.texts.ts';

type Template = Outputs['certificateTemplates']['get'];

const AuthorityLink = ({ of: { projectId, caId, caName } }: { readonly of: Template }) => (
  <Link to={AUTHORITY} params={{ projectId, id: caId }}>
    {caName}
  </Link>
);

const templates: Kind<Template> = {
  what: texts.template,
  title: texts.certificateTemplates,
  lead: texts.whatAuthorityIssuesToThoseWhoMayUse,
  empty: texts.thereIsNoTemplate,
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
    { title: words.authority, cell: (template) => <AuthorityLink of={template} /> },
    { title: texts.commonName, cell: ({ commonName }) => <code>{commonName}</code> },
    { title: texts.validity, cell: ({ ttl }) => texts.atMost(ttl) },
  ],
  factsOf: (template) => [
    [words.authority, <AuthorityLink key="authority" of={template} />],
    [texts.commonName, <code key="name">{template.commonName}</code>],
    [texts.alternativeNames, <code key="names">{template.subjectAlternativeName}</code>],
    [texts.validity, texts.atMost(template.ttl)],
    [texts.keyUsages, valueText(template.keyUsages)],
    [texts.extendedKeyUsages, valueText(template.extendedKeyUsages)],
  ],
  form: {
    parts: { caId: issuerPart, pkiCollectionId: collectionPart },
    initial: { ttl: '90d' },
    affects: ['certificateTemplates'],
  },
  deletion: texts.itsCertificatesStay,
};

export const Screen = () => <KindList of={templates} />;
export const One = () => <KindDetail of={templates} />;
