import type { Outputs } from '@coffer/client';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAddress } from '../../app/address.ts';
import { useProjectId } from '../../app/project.ts';
import { useProjectRights, type May } from '../../app/rights.ts';
import { Creation, NewButton } from '../../ui/creation.tsx';
import { hiddenPart } from '../../ui/schema-form/choice-part.tsx';
import { OperationForm } from '../../ui/schema-form/operation-form.tsx';
import { SecretPart } from '../../ui/schema-form/scalars.tsx';
import { toast } from '../../ui/toast.tsx';
import { IssuedDialog, type Issued } from './issued.tsx';
import { collectionPart, issuerPart, profilePart, templatePart } from './parts.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

interface Way {
  readonly id: 'profile' | 'authority' | 'template' | 'csr' | 'import';
  readonly name: string;
  readonly detail: string;
  readonly isAllowed: (may: May) => boolean;
}

const isIssuer = (may: May) => may('certificates', 'create');
const WAYS: readonly Way[] = [
  {
    id: 'profile',
    name: texts.byProfile,
    detail: texts.itsPolicySaysWhatMayBeAsked,
    isAllowed: (may) => isIssuer(may) || may('certificate-profiles', 'issue-cert'),
  },
  { id: 'authority', name: texts.byAuthority, detail: texts.directlyWithoutProfile, isAllowed: isIssuer },
  {
    id: 'template',
    name: texts.byTemplate,
    detail: texts.itRestrictsNamesAndValidity,
    isAllowed: (may) => isIssuer(may) || may('certificate-templates', 'issue-cert'),
  },
  { id: 'csr', name: texts.bySigningRequest, detail: texts.keyStaysWhereItIs, isAllowed: isIssuer },
  {
    id: 'import',
    name: words.import,
    detail: texts.oneThatWasIssued,
    isAllowed: (may) => may('certificates', 'import'),
  },
];

function useWays(): readonly Way[] {
  const may = useProjectRights(useProjectId());
  return WAYS.filter(({ isAllowed }) => isAllowed(may));
}

export const IssueButton = () => useWays().length > 0 && <NewButton>{texts.newCertificate}</NewButton>;

/** A new certificate, by one of the ways that the user may take. Its private key is in this part of the page only. */
export function Issue() {
  const ways = useWays();
  const [, go] = useAddress();
  const [issued, setIssued] = useState<Issued>();
  const close = () => go({ new: undefined, issuer: undefined });
  if (issued) return <Shown of={issued} />;
  return (
    <Creation what={texts.certificate} types={ways} typeOf={(way) => way}>
      {({ id }) => <WayForm way={id} onClose={close} onDone={setIssued} />}
    </Creation>
  );
}

function Shown({ of: issued }: { readonly of: Issued }) {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const open = () =>
    void navigate({
      to: '/projects/$projectId/certificates/$id',
      params: { projectId, id: issued.certificateId },
    });
  return <IssuedDialog of={issued} onClose={open} />;
}

interface WayFormProps {
  readonly way: Way['id'];
  readonly onClose: () => void;
  readonly onDone: (issued: Issued) => void;
}

const FRESH = { ttl: '90d' };
/** By what it is issued, for which names, and for how long. */
const PROMINENT = {
  profile: ['profileId', 'attributes', 'attributes.commonName', 'attributes.altNames', 'attributes.ttl'],
  authority: ['caId', 'commonName', 'altNames', 'ttl'],
  template: ['certificateTemplateId', 'commonName', 'altNames', 'ttl'],
  csr: ['caId', 'csr', 'altNames', 'ttl'],
  import: ['certificatePem', 'privateKeyPem', 'chainPem'],
} as const satisfies Record<Way['id'], readonly string[]>;
const AFFECTED = ['certificates', 'certificateCollections', 'certificateSubscribers', 'certificateOrders'] as const;

function WayForm({ way, onClose, onDone }: WayFormProps) {
  const projectId = useProjectId();
  const [{ issuer }] = useAddress();
  const common = { affects: AFFECTED, prominent: PROMINENT[way], onCancel: onClose };
  switch (way) {
    case 'profile':
      return (
        <OperationForm
          {...common}
          area="certificateOrders"
          procedure="order"
          initial={{ attributes: FRESH }}
          parts={{ profileId: profilePart, 'attributes.customExtensions': hiddenPart }}
          submit={texts.issue}
          onDone={(answer) => ordered(answer, onDone, onClose)}
        />
      );
    case 'authority':
    case 'template':
      return (
        <OperationForm
          {...common}
          area="certificatesV1"
          procedure="issue"
          initial={way === 'authority' && issuer ? { ...FRESH, caId: issuer } : FRESH}
          hidden={[way === 'authority' ? 'certificateTemplateId' : 'caId']}
          parts={{ caId: issuerPart, certificateTemplateId: templatePart, pkiCollectionId: collectionPart }}
          submit={texts.issue}
          onDone={onDone}
        />
      );
    case 'csr':
      return (
        <OperationForm
          {...common}
          area="certificatesV1"
          procedure="sign"
          initial={FRESH}
          hidden={['certificateTemplateId']}
          parts={{ caId: issuerPart, pkiCollectionId: collectionPart }}
          submit={texts.sign}
          onDone={(signed) => onDone({ ...signed, privateKey: null })}
        />
      );
    case 'import':
      return (
        <OperationForm
          {...common}
          area="certificates"
          procedure="import"
          given={{ projectId }}
          hidden={['projectSlug']}
          parts={{ privateKeyPem: SecretPart, pkiCollectionId: collectionPart }}
          submit={words.import}
          onDone={(imported) => onDone({ ...imported, privateKey: null })}
        />
      );
  }
}

/** An authority of others may issue later. */
function ordered(
  { certificate, message }: Outputs['certificateOrders']['order'],
  onDone: (issued: Issued) => void,
  onClose: () => void,
): void {
  if (certificate) return onDone(certificate);
  toast(message ?? texts.certificateIsOrdered);
  onClose();
}
