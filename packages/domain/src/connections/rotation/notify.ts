import { z } from 'zod';
import { peopleWith } from '../../access/index.ts';
import { enqueue } from '../../jobs/index.ts';
import { statement, type Context, type Transaction } from '../../kernel/index.ts';
import { defineNotice, NOTICE, oneLine, type MessageText } from '../../mail/index.ts';
import { notifyOfFailedRotation } from '../../secrets/webhook/index.ts';
import { fieldsOf, rotationById, type RotationRow } from './find.ts';
import { rotationPermissions } from './secret-rotation.ts';

const PROJECT = statement(
  'secret_rotation.project',
  'select name from projects where organization_id = $1 and id = $2',
);

/** Notifies the users who may rotate a rotation that it fails, unless it has succeeded by now. */
export const rotationFailedMail = defineNotice({
  name: 'mail.rotation_failed',
  payload: z.object({ organizationId: z.string(), rotationId: z.string() }),
  find: async (ctx, { organizationId, rotationId }, readerId) => {
    const row = await rotationById(ctx, organizationId, rotationId);
    if (row?.status !== 'failed') return undefined;
    const [project] = await ctx.sql<{ name: string }>(PROJECT, [organizationId, row.projectId]);
    const right = { permission: rotationPermissions['rotate-secrets'], fields: fieldsOf(row) };
    const readers = await peopleWith(ctx, row, right, readerId);
    return project && { readers, text: textOf(ctx, row, project.name) };
  },
});

function textOf(ctx: Context, row: RotationRow, projectName: string): MessageText {
  const [name, project] = [oneLine(row.name), oneLine(projectName)];
  const works = row.activeIndex === null ? 'It has no credential that works' : 'The active credential is unchanged';
  return {
    subject: `The secret rotation ${name} in ${project} fails`,
    paragraphs: [
      `The secret rotation ${name} (project ${project}, environment ${row.environment}, folder ${row.secretPath}) could not be carried out. ${works}, and it is tried again.`,
      `Reason: ${oneLine(row.lastMessage ?? '', 300)}`,
    ],
    action: { label: 'Open Coffer', url: ctx.settings.siteUrl },
  };
}

/** Notifies people and webhooks of the failure of a rotation, after the commit. */
export async function notifyOfFailure(tx: Transaction, row: RotationRow, errorMessage: string): Promise<void> {
  const { organizationId, projectId, environmentId, secretPath, name: rotationName } = row;
  const details = { rotationName, errorMessage, triggeredManually: false };
  await notifyOfFailedRotation(tx, { organizationId, projectId, environmentId, secretPath, details });
  if (tx.settings.emailConfigured) enqueue(tx, rotationFailedMail, { organizationId, rotationId: row.id }, NOTICE);
}
