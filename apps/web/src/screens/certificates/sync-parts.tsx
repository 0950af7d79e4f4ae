import { useQuery } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { ask } from '../../app/ask.ts';
import { useProjectId } from '../../app/project.ts';
import { Choose } from '../../ui/choose.tsx';
import { placeParts } from '../../ui/offered.tsx';
import { choicePart } from '../../ui/schema-form/choice-part.tsx';
import type { FieldProps } from '../../ui/schema-form/context.ts';
import { useCertificateOptions } from './parts.tsx';

const subscriberPart = choicePart({
  label: 'Subscriber',
  useOptions: () =>
    useQuery(ask('certificateSubscribers', 'list', { projectId: useProjectId() }))
      .data?.subscribers //
      .map(({ id, name }) => ({ value: id, label: name })),
  hint: 'Its certificates are written, also later ones. Optional',
});

interface CertificateChoiceProps {
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Valid certificates whose keys are stored: others cannot be written. */
export function CertificateChoice({ chosen, onChange }: CertificateChoiceProps) {
  const options = useCertificateOptions(true) ?? [];
  return (
    <Choose
      label="Certificates"
      options={options.map(({ value, label = value }) => ({ id: value, label }))}
      chosen={chosen}
      onChange={onChange}
      empty="No valid certificate has its private key here."
    />
  );
}

const CertificatesPart = ({ value, onChange }: FieldProps) => (
  <CertificateChoice
    chosen={Array.isArray(value) ? (value as readonly string[]).filter(Boolean) : []}
    onChange={onChange}
  />
);

/** The fields of a sync that name something else, for each app of connections. */
export const syncParts = (app: string): Readonly<Record<string, ComponentType<FieldProps>>> => ({
  ...placeParts(app),
  subscriberId: subscriberPart,
  certificateIds: CertificatesPart,
});
