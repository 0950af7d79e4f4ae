import { useQueries } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { ask } from '../../app/ask.ts';
import { useProjectId } from '../../app/project.ts';
import { choicePart } from '../../ui/schema-form/choice-part.tsx';
import type { FieldProps } from '../../ui/schema-form/context.ts';
import { SecretPart } from '../../ui/schema-form/scalars.tsx';
import { texts } from './authorities.texts.ts';
import { words } from '../../ui/words.texts.ts';

/** Connections to one of some apps. */
const connectionOf = (apps: readonly string[]) =>
  choicePart({
    label: words.connection,
    none: texts.thereIsNoSuchConnection,
    isNeeded: true,
    useOptions() {
      const projectId = useProjectId();
      return useQueries({
        queries: apps.map((app) => ask('appConnections', 'available', { app: app as never, projectId })),
        combine: (answers) =>
          answers.flatMap(({ data }) => data?.appConnections.map(({ id, name }) => ({ value: id, label: name })) ?? []),
      });
    },
  });

/** Their parts are made once: another component would lose its focus. */
const made = new Map<readonly string[], Readonly<Record<string, ComponentType<FieldProps>>>>();

/** The fields of authorities of others that name something else. */
export function externalParts(apps: readonly string[]): Readonly<Record<string, ComponentType<FieldProps>>> {
  const parts = made.get(apps) ?? {
    'configuration.appConnectionId': connectionOf(apps),
    'configuration.dnsAppConnectionId': connectionOf(apps),
    'configuration.eabHmacKey': SecretPart,
  };
  made.set(apps, parts);
  return parts;
}
