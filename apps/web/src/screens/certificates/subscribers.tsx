import type { Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, useChange } from '../../app/ask.ts';
import { useProjectRights } from '../../app/rights.ts';
import { Act } from '../../ui/act.tsx';
import { Part, Status } from '../../ui/detail.tsx';
import { KindDetail, KindList, type Kind } from '../../ui/kind.tsx';
import { Queried } from '../../ui/query.tsx';
import { labelOf, valueText } from '../../ui/schema-form/words.ts';
import { ByMachine } from '../api-reference/by-machine.tsx';
import { useAuthorityName } from './authorities-of.ts';
import { CertificateTable } from './certificate-table.tsx';
import { IssuedDialog, type Issued } from './issued.tsx';
import { anyIssuerPart } from './parts.tsx';
import { CertificateTabs } from './tabs.ts';
import { texts } from './enrolment.texts.ts';
import { words } from '../../ui/words.texts.ts';

type Subscriber = Outputs['certificateSubscribers']['get'];

function AuthorityOf({ id }: { readonly id: string | null }) {
  return useAuthorityName()(id);
}

const subscribers: Kind<Subscriber> = {
  what: texts.subscriber,
  title: texts.subscribers,
  lead: texts.whatGetsCertificatesAgain,
  empty: texts.thereIsNoSubscriber,
  area: 'certificateSubscribers',
  subject: 'pki-subscribers',
  path: '/projects/$projectId/certificates/subscribers',
  Tabs: CertificateTabs,
  useRows: ({ projectId }) =>
    useQuery({
      ...ask('certificateSubscribers', 'list', { projectId }),
      select: ({ subscribers: rows }) => ({ rows }),
    }),
  useRow: (subscriberName, projectId) => useQuery(ask('certificateSubscribers', 'get', { projectId, subscriberName })),
  // They are found by their names.
  idOf: ({ name }) => name,
  nameOf: ({ name }) => name,
  refOf: ({ projectId, name }) => ({ projectId, subscriberName: name }),
  aboutOf: ({ id }) => ({ pkiSubscriberId: id }),
  columns: [
    { title: texts.commonName, cell: ({ commonName }) => commonName },
    { title: words.authority, cell: ({ caId }) => <AuthorityOf id={caId} /> },
    { title: words.status, cell: ({ status }) => labelOf(status) },
    { title: texts.last, cell: (subscriber) => <Last of={subscriber} /> },
  ],
  factsOf: (subscriber) => [
    [words.status, labelOf(subscriber.status)],
    [texts.last, <Last key="last" of={subscriber} />],
    [texts.commonName, subscriber.commonName],
    [texts.alternativeNames, valueText(subscriber.subjectAlternativeNames)],
    [words.authority, <AuthorityOf key="authority" id={subscriber.caId} />],
    [texts.validity, subscriber.ttl ?? texts.usualValidity],
    [
      texts.renewal,
      subscriber.enableAutoRenewal ? texts.daysBeforeEnd(subscriber.autoRenewalPeriodInDays ?? 0) : texts.onRequest,
    ],
    [texts.keyUsages, valueText(subscriber.keyUsages)],
    [texts.extendedKeyUsages, valueText(subscriber.extendedKeyUsages)],
    ...Object.entries(subscriber.properties ?? {}).map(([name, value]) => [labelOf(name), value] as const),
  ],
  form: {
    parts: { caId: anyIssuerPart },
    prominent: ['subjectAlternativeNames', 'ttl', 'enableAutoRenewal'],
    affects: ['certificateSubscribers'],
  },
  deletion: texts.itsCertificatesStayValid,
  Actions: IssueTo,
  More: (props) => (
    <>
      <OwnCertificates {...props} />
      <ByMachine
        title={texts.issueCertificate}
        operation="certificateSubscribers_issue"
        parameters={{ subscriberName: props.of.name }}
        body={{ projectId: props.of.projectId }}
      />
    </>
  ),
};

/** How the last issuing went. */
const Last = ({ of: { lastOperationStatus: status, lastOperationAt: at, lastOperationMessage: why } }: OfSubscriber) =>
  status === null ? (
    texts.nothingYet
  ) : (
    <Status
      kind={status === 'success' ? 'good' : 'bad'}
      text={status === 'success' ? texts.issued : words.failed}
      at={at}
      why={status === 'failed' ? why : null}
    />
  );

interface OfSubscriber {
  readonly of: Subscriber;
}

const AFFECTED = ['certificateSubscribers', 'certificates'] as const;

/** An authority here answers with the certificate; one of others is asked for it. */
function IssueTo({ of: { projectId, name, status, supportsImmediateCertIssuance: isImmediate } }: OfSubscriber) {
  const may = useProjectRights(projectId);
  const issue = useChange('certificateSubscribers', 'issue', AFFECTED);
  const order = useChange('certificateSubscribers', 'order', AFFECTED);
  const [issued, setIssued] = useState<Issued>();
  if (status !== 'active' || !may('pki-subscribers', 'issue-cert')) return null;
  const ref = { projectId, subscriberName: name };
  return (
    <>
      {isImmediate ? (
        <Act label={texts.issueCertificate} kind="primary" run={async () => setIssued(await issue.mutateAsync(ref))} />
      ) : (
        <Act
          label={texts.orderCertificate}
          kind="primary"
          run={() => order.mutateAsync(ref)}
          done={texts.certificateIsOrdered}
        />
      )}
      {issued && <IssuedDialog of={issued} onClose={() => setIssued(undefined)} />}
    </>
  );
}

function OwnCertificates({ of: { projectId, name } }: OfSubscriber) {
  const found = useQuery(ask('certificateSubscribers', 'certificates', { projectId, subscriberName: name }));
  return (
    <Part title={texts.itsCertificates}>
      <Queried query={found}>
        {({ certificates }) => <CertificateTable of={certificates} empty={texts.itHasNoneYet} />}
      </Queried>
    </Part>
  );
}

export const Screen = () => <KindList of={subscribers} />;
export const One = () => <KindDetail of={subscribers} />;
