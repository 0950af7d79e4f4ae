import { useQuery } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { ask } from '../../app/ask.ts';
import { useProjectId } from '../../app/project.ts';
import { placeParts } from '../../ui/offered.tsx';
import { choicePart, choicesPart } from '../../ui/schema-form/choice-part.tsx';
import type { FieldProps } from '../../ui/schema-form/context.ts';
import { useCertificateOptions } from './parts.tsx';
import { texts } from './syncs.texts.ts';
import { words } from '../../ui/words.texts.ts';

const subscriberPart = choicePart({
  label: texts.subscriber,
  useOptions: () =>
    useQuery(ask('certificateSubscribers', 'list', { projectId: useProjectId() }))
      .data?.subscribers //
      .map(({ id, name }) => ({ value: id, label: name })),
  hint: texts.itsCertificatesAreWritten,
});

/** Valid certificates whose keys are stored: others cannot be written. */
export const certificatesPart = choicesPart({
  label: words.certificates,
  useOptions: () => useCertificateOptions(true),
  none: texts.noValidCertificateHasItsPrivate,
});

/** The fields of a sync that name something else, for each app of connections. */
export const syncParts = (app: string): Readonly<Record<string, ComponentType<FieldProps>>> => ({
  ...placeParts(app),
  subscriberId: subscriberPart,
  certificateIds: certificatesPart,
});
