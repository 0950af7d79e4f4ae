import type { Mail } from '../../kernel/index.ts';
import { compose, oneLine } from '../../mail/index.ts';
import type { AlertEvent } from './alert.ts';

/** A certificate or an authority in a notification: only public content of its certificate. */
export interface NotificationItem {
  readonly id: string;
  readonly type: 'certificate' | 'ca';
  readonly commonName: string;
  readonly altNames: string;
  readonly serialNumber: string;
  readonly friendlyName: string;
  readonly profileName: string | null;
  /** ISO 8601. */
  readonly notBefore: string;
  readonly notAfter: string;
}

export interface AlertMessage {
  /** The same for each delivery attempt. */
  readonly id: string;
  readonly alertId: string;
  readonly alertName: string;
  readonly eventType: AlertEvent;
  readonly alertBefore: string | null;
  readonly projectId: string;
  readonly projectName: string;
  readonly certificates: readonly NotificationItem[];
  /** Including those that are not named. */
  readonly total: number;
}

const HAPPENED: Readonly<Record<AlertEvent, readonly [one: string, many: string]>> = {
  expiration: ['certificate expires soon', 'certificates expire soon'],
  issuance: ['certificate was issued', 'certificates were issued'],
  renewal: ['certificate was renewed', 'certificates were renewed'],
  revocation: ['certificate was revoked', 'certificates were revoked'],
};

/** `3 certificates expire soon` */
const headline = ({ eventType, total }: AlertMessage): string => {
  const [one, many] = HAPPENED[eventType];
  return total === 1 ? `1 ${one}` : `${total} ${many}`;
};

function lineOf({ commonName, friendlyName, altNames, type, serialNumber, notAfter }: NotificationItem): string {
  const name = oneLine(commonName || friendlyName || altNames || 'without a name', 100);
  const end = `${notAfter.slice(0, 16).replace('T', ' ')} UTC`;
  return `${type === 'ca' ? 'Authority ' : ''}${name}: until ${end} (serial number ${oneLine(serialNumber, 64)})`;
}

function linesOf({ certificates, total }: AlertMessage): string[] {
  const lines = certificates.map(lineOf);
  return total > lines.length ? [...lines, `and ${total - lines.length} more`] : lines;
}

/** One message to one recipient; user-chosen names are reduced to one line each. */
export function mailOf(message: AlertMessage, to: string, siteUrl: string): Mail {
  const [alert, project] = [oneLine(message.alertName), oneLine(message.projectName)];
  const mail = compose(to, {
    subject: `${headline(message)}: ${project}`,
    paragraphs: [`The alert ${alert} of the project ${project}: ${headline(message)}.`, linesOf(message).join('\n')],
    action: { label: 'Open Coffer', url: siteUrl },
  });
  return { ...mail, id: message.id };
}

/** @param timestamp Milliseconds since 1970, which the signature has as well. */
export function webhookBody(message: AlertMessage, timestamp: number): object {
  const { id, alertId, alertName, eventType, alertBefore, projectId, projectName, certificates, total } = message;
  return {
    event: `certificate.${eventType}`,
    id,
    alert: { id: alertId, name: alertName, eventType, alertBefore, projectId, projectName },
    certificates,
    total,
    timestamp,
  };
}

/** What would be a link or a mention in Slack's own markup is text. */
const plain = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
/** Lines that a message of Slack has room for. */
const MAX_LINES = 20;

/** The format of Slack's incoming webhooks, with at most twenty certificates. */
export function slackBody(
  message: AlertMessage,
  { channel, mentionUsers }: { channel: string | null; mentionUsers: readonly string[] },
): object {
  const { certificates, total } = message;
  const lines = linesOf({ ...message, certificates: certificates.slice(0, MAX_LINES), total });
  const mentions = mentionUsers.map((user) => `<@${user}> `).join('');
  return {
    ...(channel !== null && { channel }),
    text: `${mentions}${headline(message)}`,
    attachments: [
      {
        color: message.eventType === 'expiration' ? '#d9822b' : '#36a64f',
        text: plain(lines.join('\n')),
        fields: [
          { title: 'Project', value: plain(oneLine(message.projectName)), short: true },
          { title: 'Alert', value: plain(oneLine(message.alertName)), short: true },
        ],
      },
    ],
  };
}
