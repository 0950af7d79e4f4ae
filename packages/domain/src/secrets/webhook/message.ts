import { createHmac } from 'node:crypto';
import type { SecretActor } from '../commit/index.ts';
import type { WebhookType } from './webhook.ts';

/** A webhook's message: the location and author of a change, never the contents. */
export interface Message {
  /** The same for each delivery attempt. */
  readonly id: string;
  readonly event: 'secrets.modified' | 'secrets.rotation-failed' | 'test';
  readonly projectId: string;
  readonly projectName: string;
  readonly environment: string;
  readonly secretPath: string;
  readonly actor: SecretActor | undefined;
  /** Of a rotation that failed. */
  readonly details?: RotationFailure | undefined;
}

/** A rotation that failed, as it is published. */
export interface RotationFailure {
  readonly rotationName: string;
  /** Without credentials. */
  readonly errorMessage: string;
  readonly triggeredManually: boolean;
}

/** The form of a message for each kind of receiver; `timestamp` in milliseconds since 1970. */
const BODIES: Readonly<Record<WebhookType, (message: Message, timestamp: number) => object>> = {
  general: ({ id, event, projectId, projectName, environment, secretPath, actor, details }, timestamp) => ({
    event,
    id,
    project: {
      workspaceId: projectId,
      projectId,
      projectName,
      environment,
      secretPath,
      ...(actor && { changedBy: actor.name, changedByActorType: actor.actorType }),
      ...details,
    },
    timestamp,
  }),
  slack: ({ event, projectName, environment, secretPath, actor, details }, timestamp) => ({
    text: details
      ? failed(details)
      : event === 'test'
        ? 'This is how Coffer notifies you of changes'
        : `Secrets were changed${by(actor)}`,
    attachments: [
      {
        color: details ? '#d1242f' : '#36a64f',
        fields: [
          { title: 'Project', value: plain(projectName), short: false },
          { title: 'Environment', value: plain(environment), short: true },
          { title: 'Folder', value: plain(secretPath), short: true },
        ],
      },
    ],
    timestamp,
  }),
};

const failed = ({ rotationName, errorMessage }: RotationFailure) =>
  `The secret rotation ${plain(rotationName)} failed: ${plain(errorMessage)}`;

const by = (actor: SecretActor | undefined) => (actor?.name ? ` by ${plain(actor.name)}` : '');

/** What would be a link or a mention in Slack's own markup is text. */
const plain = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The header that receivers of the published API use. */
const PUBLISHED_SIGNATURE = 'x-infisical-signature';
const SIGNATURE = 'x-coffer-signature';

/**
 * The headers that sign a body: `t=<milliseconds>;<HMAC-SHA256 of the body, in hexadecimal>`. The body contains the
 * time as well, so that the two cannot be separated.
 */
export function signatureHeaders(body: string, secretKey: string, timestamp: number): Record<string, string> {
  const signature = `t=${timestamp};${createHmac('sha256', secretKey).update(body).digest('hex')}`;
  return { [PUBLISHED_SIGNATURE]: signature, [SIGNATURE]: signature };
}

/** A message in the form of a kind of receiver; `timestamp` in milliseconds since 1970. */
export const bodyOf = (type: WebhookType, message: Message, timestamp: number): object =>
  BODIES[type](message, timestamp);
